using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>
/// A file that the ranks of a communicator have opened together: MPI-IO.
/// <code>
/// using MpiFile file = MpiFile.Open(world, "numbers", new MpiFileOptions { Read = true, Write = true, Create = true });
/// // Rank 0 has the first 100, rank 1 the next, and so on, round and round.
/// file.ViewBlocks&lt;double&gt;(0, 100);
/// file.WriteAtAll(mine, 0);
/// </code>
/// </summary>
/// <remarks>
/// Elements are of unmanaged types, written as they lie in memory, the padding of structs zeroed. Offsets count the elements of the
/// view, which are bytes until <see cref="View{T}"/> or one of its kin says otherwise; a rank's view may be a part of the file, and
/// differ from the others'. What one rank writes is seen by another when both have called <see cref="Sync"/>, the first after writing
/// and the other before reading, or when the file is <see cref="Atomic"/>.
/// <para>
/// What is collective is called by all ranks, in one order. Closing is: a file that is forgotten stays open until MPI is finalized,
/// which closes it; and a rank that leaves the block by an exception waits for the others there, unless it ends the job before, as
/// <see cref="Environment.Run(string[], Action{Communicator}, Threads)"/> does. Calls on a closed one are an
/// <see cref="MpiException"/> (<see cref="MpiError.Usage"/>).
/// </para>
/// </remarks>
public sealed unsafe partial class MpiFile : IDisposable
{
    private readonly UpcallMpiFile* native;

    private MpiFile(UpcallMpiFile* native, string path)
    {
        this.native = native;
        Path = path;
    }

    /// <summary>Releases it; the file itself is closed with MPI.</summary>
    ~MpiFile() => upcall_mpi_file_release(native);

    /// <summary>Its path, as it was opened.</summary>
    public string Path { get; }

    /// <summary>Its bytes.</summary>
    /// <exception cref="MpiException">MPI refuses.</exception>
    public long Size => (long)Ask(upcall_mpi_file_size);

    /// <summary>Whether each read and write is done at once, as others see it, without <see cref="Sync"/>. Off at first. Setting it is
    /// collective.</summary>
    /// <exception cref="MpiException">MPI, or the file system, does not have it.</exception>
    public bool Atomic
    {
        get => Ask((file, failed) => upcall_mpi_file_is_atomic(file, failed)) != 0;
        set => Do((file, failed) => upcall_mpi_file_set_atomic(file, value ? (byte)1 : (byte)0, failed));
    }

    /// <summary>Where this rank's pointer is, in elements of the view.</summary>
    /// <exception cref="MpiException">MPI refuses.</exception>
    public long Position => (long)Ask((file, failed) => upcall_mpi_file_position(file, 0, failed));

    /// <summary>Where the pointer is that all ranks have.</summary>
    /// <exception cref="MpiException">MPI refuses.</exception>
    public long PositionShared => (long)Ask((file, failed) => upcall_mpi_file_position(file, 1, failed));

    /// <summary>The hints in use, by name: what MPI has made of those that it was opened with, and its own.</summary>
    /// <exception cref="MpiException">MPI refuses.</exception>
    public IReadOnlyDictionary<string, string> Hints
    {
        get
        {
            Native.Failure* failed = null;
            Native.Text hints = upcall_mpi_file_hints(Handle, &failed);
            GC.KeepAlive(this);
            MpiException.Check(failed);
            string[] lines = Given.Take(hints).Split('\n', StringSplitOptions.RemoveEmptyEntries);
            return lines.Select(line => line.Split('=', 2)).ToDictionary(pair => pair[0], pair => pair[^1]);
        }
    }

    private UpcallMpiFile* Handle => native;

    private delegate ulong Asked(UpcallMpiFile* file, Native.Failure** failed);

    private delegate void Done(UpcallMpiFile* file, Native.Failure** failed);

    /// <summary>Opens a file, to read where nothing else is said. Collective.</summary>
    /// <exception cref="MpiException">There is none (<see cref="MpiError.NotFound"/>) or one too many (<see cref="MpiError.Exists"/>),
    /// it may not be accessed so (<see cref="MpiError.Access"/>), what is said contradicts itself, or MPI refuses.</exception>
    public static MpiFile Open(Communicator communicator, string path, MpiFileOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(communicator);
        ArgumentNullException.ThrowIfNull(path);
        options ??= new MpiFileOptions { Read = true };
        string lines = string.Join('\n', options.Hints.Select(hint => $"{hint.Key}={hint.Value}"));
        byte[] name = Encoding.UTF8.GetBytes(path), hints = Encoding.UTF8.GetBytes(lines);
        Native.Failure* failed = null;
        UpcallMpiFile* file;
        fixed (byte* at = name, said = hints)
        {
            file = upcall_mpi_communicator_file_open(
                communicator.Handle, Given.Text(at, name.Length), options.How, Given.Text(said, hints.Length), &failed);
        }
        GC.KeepAlive(communicator);
        MpiException.Check(failed);
        return new MpiFile(file, path);
    }

    /// <summary>Opens a file to write, without what may be in it. Collective.</summary>
    /// <inheritdoc cref="Open"/>
    public static MpiFile Create(Communicator communicator, string path) =>
        Open(communicator.NotNull(), path.NotNull(), new MpiFileOptions { Write = true, Create = true, Truncate = true });

    /// <summary>Deletes a file: one rank does that, when none has it open.</summary>
    /// <exception cref="MpiException">There is none (<see cref="MpiError.NotFound"/>), or it may not be deleted.</exception>
    public static void Delete(Communicator communicator, string path)
    {
        ArgumentNullException.ThrowIfNull(communicator);
        ArgumentNullException.ThrowIfNull(path);
        byte[] name = Encoding.UTF8.GetBytes(path);
        Native.Failure* failed = null;
        fixed (byte* at = name)
        {
            upcall_mpi_communicator_file_delete(communicator.Handle, Given.Text(at, name.Length), &failed);
        }
        GC.KeepAlive(communicator);
        MpiException.Check(failed);
    }

    /// <summary>Makes it as large: what is behind is cut off, what is new is zero. Collective.</summary>
    /// <exception cref="MpiException">It was not opened to be written, there is no room, or MPI refuses.</exception>
    public void SetSize(long bytes) => Do((file, failed) => upcall_mpi_file_set_size(file, Offset(bytes), failed));

    /// <summary>Takes room for so many bytes, so that writing them does not find the disk full; a larger file stays as it is.
    /// Collective.</summary>
    /// <inheritdoc cref="SetSize"/>
    public void Preallocate(long bytes) => Do((file, failed) => upcall_mpi_file_preallocate(file, Offset(bytes), failed));

    /// <summary>Brings what was written to the disk, and what others have brought there to this rank's eyes. Collective.</summary>
    /// <exception cref="MpiException">The disk is full, or MPI refuses.</exception>
    public void Sync() => Do(upcall_mpi_file_sync);

    /// <summary>Moves this rank's pointer: where it is then, in elements of the view.</summary>
    /// <exception cref="MpiException">It would be before the start (<see cref="MpiError.Range"/>), or MPI refuses.</exception>
    public long Seek(long offset, SeekOrigin origin = SeekOrigin.Begin) => Seek(offset, origin, 0);

    /// <summary>Moves the pointer that all ranks have. Collective.</summary>
    /// <inheritdoc cref="Seek(long, SeekOrigin)"/>
    public long SeekShared(long offset, SeekOrigin origin = SeekOrigin.Begin) => Seek(offset, origin, 1);

    /// <summary>Closes it, when all that was begun has ended. Collective. A second call does nothing.</summary>
    /// <exception cref="MpiException">The disk is full, or MPI refuses.</exception>
    public void Close() => Do(upcall_mpi_file_close);

    /// <summary>As <see cref="Close"/>.</summary>
    /// <exception cref="MpiException">The disk is full, or MPI refuses.</exception>
    public void Dispose() => Close();

    private static ulong Offset(long offset) => offset >= 0
        ? (ulong)offset
        : throw new MpiException(MpiError.Range, $"use a place in a file: {offset} is less than 0, and files begin there");

    private long Seek(long offset, SeekOrigin origin, byte shared) =>
        (long)Ask((file, failed) => upcall_mpi_file_seek(file, offset, (UpcallMpiSeek)origin, shared, failed));

    private ulong Ask(Asked call)
    {
        Native.Failure* failed = null;
        ulong answer = call(Handle, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return answer;
    }

    private void Do(Done call)
    {
        Native.Failure* failed = null;
        call(Handle, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }
}
