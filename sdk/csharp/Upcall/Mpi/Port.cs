using System;
using System.Text;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>Where other programs may connect to, by <see cref="Communicator.Connect"/>. It is closed when it is disposed.</summary>
public sealed unsafe class Port : IDisposable
{
    private UpcallMpiPort* native;

    private Port(UpcallMpiPort* native)
    {
        this.native = native;
        Name = Given.Take(upcall_mpi_port_name(native, null));
    }

    /// <summary>Closes it.</summary>
    ~Port() => Release();

    /// <summary>Its name, which others are told.</summary>
    public string Name { get; }

    /// <summary>Opens one.</summary>
    /// <exception cref="MpiException">The MPI has none (<see cref="MpiError.Unsupported"/>), as MPICH over UCX; or it refuses.
    /// </exception>
    public static Port Open()
    {
        Native.Failure* failed = null;
        UpcallMpiPort* opened = upcall_mpi_open_port(Environment.Current.Native, &failed);
        MpiException.Check(failed);
        return new Port(opened);
    }

    /// <summary>The name of the port that was <see cref="Publish">published</see> as a service.</summary>
    /// <exception cref="MpiException">There is none (<see cref="MpiError.Port"/>), or the launcher has no such list.</exception>
    public static string LookUp(string service)
    {
        ArgumentNullException.ThrowIfNull(service);
        Native.Failure* failed = null;
        byte[] name = Encoding.UTF8.GetBytes(service);
        Native.Text found;
        fixed (byte* at = name)
        {
            found = upcall_mpi_look_up(Environment.Current.Native, Given.Text(at, name.Length), &failed);
        }
        MpiException.Check(failed);
        return Given.Take(found);
    }

    /// <summary>Tells others its name under that of a service, until what is returned is disposed.</summary>
    /// <exception cref="MpiException">The launcher has no such list, or another port is there under this name.</exception>
    public IDisposable Publish(string service)
    {
        ArgumentNullException.ThrowIfNull(service);
        ObjectDisposedException.ThrowIf(native == null, this);
        Native.Failure* failed = null;
        UpcallMpiPublished* published;
        byte[] name = Encoding.UTF8.GetBytes(service);
        fixed (byte* at = name)
        {
            published = upcall_mpi_port_publish(native, Given.Text(at, name.Length), &failed);
        }
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return new Published(published);
    }

    /// <summary>Closes it.</summary>
    public void Dispose()
    {
        Release();
        GC.SuppressFinalize(this);
    }

    private void Release()
    {
        if (native != null)
        {
            upcall_mpi_port_release(native);
            native = null;
        }
    }

    /// <summary>The name of a port under that of a service.</summary>
    private sealed class Published(UpcallMpiPublished* native) : IDisposable
    {
        private UpcallMpiPublished* native = native;

        ~Published() => Release();

        public void Dispose()
        {
            Release();
            GC.SuppressFinalize(this);
        }

        private void Release()
        {
            if (native != null)
            {
                upcall_mpi_published_release(native);
                native = null;
            }
        }
    }
}
