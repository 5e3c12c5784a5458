using System;
using System.Runtime.InteropServices;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

public sealed unsafe partial class MpiFile
{
    /// <summary>Reads elements at an offset: how many there were before the file's end, which may be none.</summary>
    /// <exception cref="MpiException">It was not opened to be read, it ends within an element, the elements are no whole number of
    /// the view's, or MPI refuses.</exception>
    public int ReadAt<T>(Span<T> into, long offset)
        where T : unmanaged => Read(into, UpcallMpiPlace.At, offset);

    /// <summary>The same into a new array, as long as there were elements.</summary>
    /// <inheritdoc cref="ReadAt{T}(Span{T}, long)"/>
    public T[] ReadAt<T>(long offset, int count)
        where T : unmanaged => Read<T>(count, UpcallMpiPlace.At, offset);

    /// <summary>Writes elements to an offset.</summary>
    /// <exception cref="MpiException">It was not opened to be written, the elements are no whole number of the view's, the disk is
    /// full, or MPI refuses.</exception>
    public void WriteAt<T>(ReadOnlySpan<T> values, long offset)
        where T : unmanaged => Write(values, UpcallMpiPlace.At, offset);

    /// <inheritdoc cref="WriteAt{T}(ReadOnlySpan{T}, long)"/>
    public void WriteAt<T>(T[] values, long offset)
        where T : unmanaged => Write<T>(values.NotNull(), UpcallMpiPlace.At, offset);

    /// <summary>Reads elements from an offset of each rank's own, all ranks together. Collective: how many there were before
    /// the file's end, which may be none.</summary>
    /// <inheritdoc cref="ReadAt{T}(Span{T}, long)"/>
    public int ReadAtAll<T>(Span<T> into, long offset)
        where T : unmanaged => Read(into, UpcallMpiPlace.AtAll, offset);

    /// <summary>The same into a new array, as long as there were elements.</summary>
    /// <inheritdoc cref="ReadAt{T}(Span{T}, long)"/>
    public T[] ReadAtAll<T>(long offset, int count)
        where T : unmanaged => Read<T>(count, UpcallMpiPlace.AtAll, offset);

    /// <summary>Writes elements to an offset of each rank's own, all ranks together. Collective.</summary>
    /// <inheritdoc cref="WriteAt{T}(ReadOnlySpan{T}, long)"/>
    public void WriteAtAll<T>(ReadOnlySpan<T> values, long offset)
        where T : unmanaged => Write(values, UpcallMpiPlace.AtAll, offset);

    /// <inheritdoc cref="WriteAtAll{T}(ReadOnlySpan{T}, long)"/>
    public void WriteAtAll<T>(T[] values, long offset)
        where T : unmanaged => Write<T>(values.NotNull(), UpcallMpiPlace.AtAll, offset);

    /// <summary>Reads elements from this rank's pointer on, and moves that behind them: how many there were before the file's
    /// end, which may be none.</summary>
    /// <inheritdoc cref="ReadAt{T}(Span{T}, long)"/>
    public int Read<T>(Span<T> into)
        where T : unmanaged => Read(into, UpcallMpiPlace.Pointer, 0);

    /// <summary>The same into a new array, as long as there were elements.</summary>
    /// <inheritdoc cref="ReadAt{T}(Span{T}, long)"/>
    public T[] Read<T>(int count)
        where T : unmanaged => Read<T>(count, UpcallMpiPlace.Pointer, 0);

    /// <summary>Writes elements from this rank's pointer on, and moves that behind them.</summary>
    /// <inheritdoc cref="WriteAt{T}(ReadOnlySpan{T}, long)"/>
    public void Write<T>(ReadOnlySpan<T> values)
        where T : unmanaged => Write(values, UpcallMpiPlace.Pointer, 0);

    /// <inheritdoc cref="Write{T}(ReadOnlySpan{T})"/>
    public void Write<T>(T[] values)
        where T : unmanaged => Write<T>(values.NotNull(), UpcallMpiPlace.Pointer, 0);

    /// <summary>Reads elements from this rank's pointer on, all ranks together. Collective: how many there were before the
    /// file's end, which may be none.</summary>
    /// <inheritdoc cref="ReadAt{T}(Span{T}, long)"/>
    public int ReadAll<T>(Span<T> into)
        where T : unmanaged => Read(into, UpcallMpiPlace.PointerAll, 0);

    /// <summary>The same into a new array, as long as there were elements.</summary>
    /// <inheritdoc cref="ReadAt{T}(Span{T}, long)"/>
    public T[] ReadAll<T>(int count)
        where T : unmanaged => Read<T>(count, UpcallMpiPlace.PointerAll, 0);

    /// <summary>Writes elements from this rank's pointer on, all ranks together. Collective.</summary>
    /// <inheritdoc cref="WriteAt{T}(ReadOnlySpan{T}, long)"/>
    public void WriteAll<T>(ReadOnlySpan<T> values)
        where T : unmanaged => Write(values, UpcallMpiPlace.PointerAll, 0);

    /// <inheritdoc cref="WriteAll{T}(ReadOnlySpan{T})"/>
    public void WriteAll<T>(T[] values)
        where T : unmanaged => Write<T>(values.NotNull(), UpcallMpiPlace.PointerAll, 0);

    /// <summary>Reads elements from the pointer on that all ranks have, in no order: no two ranks read the same. All ranks have
    /// the same view: how many there were before the file's end, which may be none.</summary>
    /// <inheritdoc cref="ReadAt{T}(Span{T}, long)"/>
    public int ReadShared<T>(Span<T> into)
        where T : unmanaged => Read(into, UpcallMpiPlace.Shared, 0);

    /// <summary>The same into a new array, as long as there were elements.</summary>
    /// <inheritdoc cref="ReadAt{T}(Span{T}, long)"/>
    public T[] ReadShared<T>(int count)
        where T : unmanaged => Read<T>(count, UpcallMpiPlace.Shared, 0);

    /// <summary>Writes elements from the pointer on that all ranks have, in no order: no two ranks write to the same place. All
    /// ranks have the same view.</summary>
    /// <inheritdoc cref="WriteAt{T}(ReadOnlySpan{T}, long)"/>
    public void WriteShared<T>(ReadOnlySpan<T> values)
        where T : unmanaged => Write(values, UpcallMpiPlace.Shared, 0);

    /// <inheritdoc cref="WriteShared{T}(ReadOnlySpan{T})"/>
    public void WriteShared<T>(T[] values)
        where T : unmanaged => Write<T>(values.NotNull(), UpcallMpiPlace.Shared, 0);

    /// <summary>Reads elements from the pointer on that all ranks have, in the order of the ranks. Collective: how many there
    /// were before the file's end, which may be none.</summary>
    /// <inheritdoc cref="ReadAt{T}(Span{T}, long)"/>
    public int ReadOrdered<T>(Span<T> into)
        where T : unmanaged => Read(into, UpcallMpiPlace.Ordered, 0);

    /// <summary>The same into a new array, as long as there were elements.</summary>
    /// <inheritdoc cref="ReadAt{T}(Span{T}, long)"/>
    public T[] ReadOrdered<T>(int count)
        where T : unmanaged => Read<T>(count, UpcallMpiPlace.Ordered, 0);

    /// <summary>Writes elements from the pointer on that all ranks have, in the order of the ranks. Collective.</summary>
    /// <inheritdoc cref="WriteAt{T}(ReadOnlySpan{T}, long)"/>
    public void WriteOrdered<T>(ReadOnlySpan<T> values)
        where T : unmanaged => Write(values, UpcallMpiPlace.Ordered, 0);

    /// <inheritdoc cref="WriteOrdered{T}(ReadOnlySpan{T})"/>
    public void WriteOrdered<T>(T[] values)
        where T : unmanaged => Write<T>(values.NotNull(), UpcallMpiPlace.Ordered, 0);

    /// <summary>
    /// Begins to read into an array at an offset, which nobody may use before the request has ended; its status counts the bytes. It
    /// goes on in the background where all threads may call MPI (<see cref="Threads.Multiple"/>), else it is done when this returns.
    /// Closing the file waits for it.
    /// </summary>
    /// <inheritdoc cref="ReadAt{T}(Span{T}, long)"/>
    public Request StartReadAt<T>(T[] into, long offset)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(into);
        if (Plain<T>.Pins)
        {
            return new SendRequest(StartRead(into, offset));
        }
        T[] room = GC.AllocateArray<T>(into.Length, pinned: true);
        return new ArrayReceiveRequest<T, T[]>(StartRead(room, offset), room, into, array => array, null);
    }

    /// <summary>
    /// Begins to write an array at an offset, which must not be changed before the request has ended, as
    /// <see cref="StartReadAt{T}(T[], long)"/> reads.
    /// </summary>
    /// <inheritdoc cref="WriteAt{T}(ReadOnlySpan{T}, long)"/>
    public Request StartWriteAt<T>(T[] values, long offset)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(values);
        Native.Failure* failed = null;
        UpcallMpiRequest* request;
        ulong at = Offset(offset);
        if (Plain<T>.Pins && !Plain<T>.Padded)
        {
            UpcallMpiFile* file = Handle;
            var pinned = GCHandle.Alloc(values, GCHandleType.Pinned);
            request = NativeRequest.Write(
                file, pinned, (void*)pinned.AddrOfPinnedObject(), (nuint)values.Length * (nuint)Plain<T>.Size, at, &failed);
        }
        else
        {
            var bytes = new Outgoing<T>(values);
            fixed (byte* first = &bytes.First)
            {
                request = upcall_mpi_file_start_write_at(Handle, new Slice_u8 { data = first, len = bytes.Length }, at, &failed);
            }
            bytes.Dispose();
        }
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return new SendRequest(new NativeRequest(request));
    }

    private NativeRequest StartRead<T>(T[] room, long offset)
        where T : unmanaged
    {
        UpcallMpiFile* file = Handle;
        ulong at = Offset(offset);
        // What the collector does not move is only kept.
        GCHandle kept = Plain<T>.Pins ? GCHandle.Alloc(room, GCHandleType.Pinned) : GCHandle.Alloc(room);
        Native.Failure* failed = null;
        UpcallMpiRequest* request;
        fixed (T* first = room)
        {
            nuint size = (nuint)Plain<T>.Size;
            request = NativeRequest.Read(file, kept, first, (nuint)room.Length * size, size, at, &failed);
        }
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return new NativeRequest(request);
    }

    private int Read<T>(Span<T> into, UpcallMpiPlace place, long offset)
        where T : unmanaged
    {
        Native.Failure* failed = null;
        ulong read;
        nuint size = (nuint)Plain<T>.Size;
        fixed (T* at = into)
        {
            SliceMut_u8 room = new() { data = (byte*)at, len = (nuint)into.Length * size };
            read = upcall_mpi_file_read(Handle, room, size, place, Offset(offset), &failed);
        }
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return (int)(read / size);
    }

    private T[] Read<T>(int count, UpcallMpiPlace place, long offset)
        where T : unmanaged
    {
        var values = new T[count];
        int read = Read<T>(values.AsSpan(), place, offset);
        return read == count ? values : values[..read];
    }

    private void Write<T>(ReadOnlySpan<T> values, UpcallMpiPlace place, long offset)
        where T : unmanaged
    {
        Native.Failure* failed = null;
        var bytes = new Outgoing<T>(values);
        fixed (byte* at = &bytes.First)
        {
            upcall_mpi_file_write(Handle, new Slice_u8 { data = at, len = bytes.Length }, place, Offset(offset), &failed);
        }
        bytes.Dispose();
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }
}
