using System;
using System.IO;
using System.Linq;
using Upcall.Mpi;
using static Upcall.Tests.Ranks;

namespace Upcall.Tests;

/// <summary>Files of all ranks, against what their elements are.</summary>
public static class RankFiles
{
    /// <summary>A struct with padding.</summary>
    private struct Padded
    {
        public byte Small;
        public long Large;
        public short Last;
    }

    [RankTest]
    public static void Every_way_of_reading_finds_what_was_written(Communicator world)
    {
        Ways(world, "bytes", value => (byte)value);
        Ways(world, "doubles", value => value + 0.5);
        Ways(world, "structs", value => new Padded { Small = (byte)value, Large = -value, Last = 7 });
    }

    [RankTest]
    public static void A_view_is_a_part_of_a_file(Communicator world)
    {
        (Random stream, int size, int me) = (Stream(), world.Size, world.Rank);
        string path = PathOf(world, "views");
        int[] all = Enumerable.Range(0, 6 * size).Select(_ => stream.Next()).ToArray();
        using (MpiFile file = MpiFile.Open(world, path, new MpiFileOptions { Read = true, Write = true, Create = true, Truncate = true }))
        {
            file.ViewBlocks<int>(8, 2);
            file.WriteAtAll(Enumerable.Range(0, 6).Select(at => all[(at / 2 * 2 * size) + (2 * me) + (at % 2)]).ToArray(), 0);
            file.Sync();
            file.View<int>(8);
            Same(all, file.ReadAtAll<int>(0, all.Length));
            // The file as 6 rows of as many columns as ranks.
            file.ViewStrided<int>(8, me, 1, size);
            int[] column = Enumerable.Range(0, 6).Select(row => all[(row * size) + me]).ToArray();
            Same(column, file.ReadAtAll<int>(0, 6));
            file.ViewSubarray<int>(8, [6, size], [4, 1], [1, me]);
            Same(column[1..5], file.ReadAtAll<int>(0, 4));
            Fails(MpiError.Usage, () => file.ReadOrdered<int>(1));
            file.View<(int First, int Second)>(8);
            Expect.Equal((all[2], all[3]), file.ReadAt<(int First, int Second)>(1, 1)[0]);
            Fails(MpiError.Type, () => file.ReadAt<int>(0, 1));
            // What one rank alone gets wrong is told to all.
            Fails(MpiError.Usage, () => file.ViewBlocks<int>(0, me == 0 ? 0 : 1));
            Fails(MpiError.Range, () => file.View<int>(-1));
            file.Atomic = true;
            Expect.Equal(true, file.Atomic);
            file.Preallocate(4096);
            Expect.Equal(4096L, file.Size);
            Expect.Equal(true, file.Hints.Count >= 0);
        }
        world.Barrier();
        if (me == 0)
        {
            MpiFile.Delete(world, path);
        }
        world.Barrier();
        Expect.Equal(false, File.Exists(path));
    }

    [RankTest]
    public static void What_is_wrong_is_named(Communicator world)
    {
        string path = PathOf(world, "errors");
        MpiException missing = Fails(MpiError.NotFound, () => MpiFile.Open(world, path));
        Expect.Equal(true, missing.Message.Contains(path) && missing.Message.Contains("create"));
        Fails(MpiError.NotFound, () => MpiFile.Delete(world, path));
        Fails(MpiError.NotFound, () => MpiFile.Create(world, path + "/in/none"));
        Fails(MpiError.Usage, () => MpiFile.Open(world, path, new MpiFileOptions()));
        Fails(MpiError.Usage, () => MpiFile.Open(world, path, new MpiFileOptions { Read = true, Hints = { [""] = "x" } }));
        MpiFile file = MpiFile.Create(world, path);
        Fails(MpiError.Access, () => file.ReadAt<byte>(0, 1));
        Fails(MpiError.Range, () => file.Seek(-1));
        Fails(MpiError.Range, () => file.WriteAt(new byte[1], -1));
        Request writing = file.StartWriteAt(new byte[100_000], 0);
        file.Close();
        file.Dispose();
        Expect.Equal(100_000L, writing.Wait().Bytes);
        MpiException closed = Fails(MpiError.Usage, () => file.WriteAt(new byte[1], 0));
        Expect.Equal(true, closed.Message.Contains(path) && closed.Message.Contains("closed"));
        Fails(MpiError.Usage, () => file.View<int>());
        Fails(MpiError.Usage, () => file.StartReadAt(new int[1], 0));
        Fails(MpiError.Exists, () => MpiFile.Open(world, path, new MpiFileOptions { Write = true, CreateNew = true }));
        using (MpiFile full = MpiFile.Open(world, "/dev/full", new MpiFileOptions { Write = true }))
        {
            Fails(MpiError.NoSpace, () => full.WriteAt(new byte[10], 0));
            Fails(MpiError.NoSpace, () => full.StartWriteAt(new byte[10], 0).Wait());
        }
        // One that is forgotten is closed with MPI.
        _ = MpiFile.Open(world, path);
        world.Barrier();
        if (world.Rank == 0)
        {
            File.Delete(path);
        }
        world.Barrier();
    }

    private static void Ways<T>(Communicator world, string name, Func<int, T> value)
        where T : unmanaged
    {
        (Random stream, int size, int me) = (Stream(name), world.Size, world.Rank);
        string path = PathOf(world, name);
        using (MpiFile file = MpiFile.Open(world, path, new MpiFileOptions
        {
            Read = true, Write = true, CreateNew = true, DeleteOnClose = true, Hints = { ["cb_nodes"] = "1" },
        }))
        {
            Expect.Equal(path, file.Path);
            file.View<T>(3);
            int[] counts = Counts(stream, world).Select(count => count + 1).ToArray();
            int StartOf(int rank) => counts[..rank].Sum();
            T[] Part(int rank) => Enumerable.Range(0, counts[rank]).Select(index => value((100 * rank) + index)).ToArray();
            (T[] mine, long here, int total) = (Part(me), StartOf(me), counts.Sum());
            Action[] writes =
            [
                () => file.WriteAt(mine, here),
                () => file.WriteAtAll<T>(mine.AsSpan(), here),
                () =>
                {
                    Expect.Equal(here, file.Seek(here));
                    file.Write(mine);
                    Expect.Equal(here + mine.Length, file.Position);
                },
                () =>
                {
                    file.Seek(here);
                    file.WriteAll(mine);
                },
                () =>
                {
                    file.SeekShared(0);
                    file.WriteOrdered(mine);
                    world.Barrier();
                    Expect.Equal((long)total, file.PositionShared);
                },
                () => file.StartWriteAt(mine, here).Wait(),
            ];
            foreach (Action write in writes)
            {
                file.SetSize(3);
                file.Sync();
                write();
                file.Sync();
                world.Barrier();
                Expect.Equal(3L + ((long)total * System.Runtime.CompilerServices.Unsafe.SizeOf<T>()), file.Size);
                int other = (me + stream.Next(size)) % size;
                (T[] wanted, long there) = (Part(other), StartOf(other));
                Same(wanted, file.ReadAt<T>(there, wanted.Length));
                Same(wanted, file.ReadAtAll<T>(there, wanted.Length));
                file.Seek(there);
                Same(wanted, file.Read<T>(wanted.Length));
                file.Seek(-wanted.Length, SeekOrigin.Current);
                var into = new T[wanted.Length];
                Expect.Equal(wanted.Length, file.ReadAll(into.AsSpan()));
                Same(wanted, into);
                into = new T[wanted.Length];
                Expect.Equal(wanted.Length, file.StartReadAt(into, there).Wait().Count<T>());
                Same(wanted, into);
                file.SeekShared(0);
                Same(mine, file.ReadOrdered<T>(mine.Length));
                world.Barrier();
                file.SeekShared(0);
                Expect.Equal(1, file.ReadShared<T>(1).Length);
                world.Barrier();
                // Fewer than are asked for.
                Same(Part(size - 1)[^1..], file.ReadAt<T>(total - 1, 9));
                Expect.Equal(0, file.ReadAtAll<T>(total, 9).Length);
                world.Barrier();
            }
            file.SeekShared(0);
            file.WriteShared(Part(0)[..1]);
            world.Barrier();
            Same(Part(0)[..1], file.ReadAt<T>(me, 1));
            world.Barrier();
        }
        world.Barrier();
        Expect.Equal(false, File.Exists(path));
    }

    private static string PathOf(Communicator world, string name)
    {
        int id = System.Environment.ProcessId;
        world.Broadcast(ref id, 0);
        return Path.Combine(Path.GetTempPath(), $"upcall-csharp-{name}-{id}");
    }

    private static MpiException Fails(MpiError error, Action call)
    {
        MpiException failed = Expect.Throws<MpiException>(call);
        return failed.Error == error
            ? failed
            : throw new InvalidOperationException($"expected {error}, found {failed.Error}: {failed.Message}");
    }
}
