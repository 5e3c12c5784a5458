// What bytes may not do to a process, and values that are rarely made.
using System;
using System.Threading;
using Packs;

internal static class Program
{
    private delegate object? Reads(ReadOnlySpan<byte> bytes);

    private static int wrong;

    private static int Main()
    {
        Deep();
        Memory("a list", Tree.Unpack, 5, _ => new[] { 1 });
        Memory("a fixed array", Pile.Unpack, 5, _ => new[] { 1 }, 500000);
        Memory("a grid", Board.Unpack, 14, left => new[] { 1, 3, 1, left });
        Memory("a dictionary", Folder.Unpack, 6, _ => new[] { 1 });
        Fails("a grid beside one of none", () => Room.Unpack(Convert.FromHexString("0104FFFFFF7FFFFFFF7F0000000000000000")), "dimensions");
        foreach (string length in new[] { "C8FFFF7F", "FFFFFF7F" })
        {
            // More than .NET's arrays may have, of no elements.
            Fails("a grid of more than .NET has", () => Room.Unpack(Convert.FromHexString($"0104{length}010000000000000000000000")), "dimensions");
            Fails("a grid of more than .NET has, behind none", () => Room.Unpack(Convert.FromHexString($"01040000000001000000{length}00000000")), "dimensions");
        }
        // As often as takes minutes where each walks what is not there.
        Board[,] none = Board.Unpack(Convert.FromHexString("0103C7FFFF7F0000000000000000"))!.Squares!;
        Check(none.GetLength(0) == 0x7FFFFFC7, "the largest grid of nothing");
        for (int time = 0; time < 100; time++) Check(Board.Pack(new Board { Squares = none }).Length == 14, "a grid of nothing");
        IEither? either = new Other { Number = 1 };
        byte[] one = Either_(new Leaf { Number = 2 });
        IEither.Overwrite(ref either, one);
        Check(Either_(either!).AsSpan().SequenceEqual(one), "a case over another");
        byte[] flags = Long.Pack(new Long());
        flags[1 + 69999] = 1;
        flags[1 + 70000 + 3] = 1;
        Check(Long.Unpack(flags) is { } long_ && long_.Flags.AsSpan()[69999] && long_.Pairs.AsSpan()[1].Item2, "a long array");
        flags[1 + 69999] = 2;
        Fails("no bool", () => Long.Unpack(flags), "at byte 70000");
        Holder older = Holder.Unpack(new byte[] { 1, 5, 0, 0, 0 })!;
        Check(older.Number == 5 && older.Named.Name == "" && older.Two[1].All.Length == 0, "the defaults of a struct");
        Check(Holder.Pack(older).Length > 5, "it can be written");
        Check(Named.Unpack(new byte[] { 1, 0, 0, 0, 0 }).All.Length == 0, "a member of a struct");
        Console.WriteLine(wrong == 0 ? "nothing wrong" : $"{wrong} wrong");
        return wrong == 0 ? 0 : 1;
    }

    private static byte[] Either_(IEither value) => IEither.Pack(value);

    private static void Check(bool right, string what)
    {
        if (right) return;
        wrong++;
        Console.WriteLine(what);
    }

    private static void Fails(string what, Action run, string message)
    {
        try
        {
            run();
            Check(false, $"{what}: no error");
        }
        catch (PackException error)
        {
            Check(error.Message.Contains(message), $"{what}: {error.Message}");
        }
        catch (Exception error)
        {
            Check(false, $"{what}: {error}");
        }
    }

    /// <summary>More levels than a stack holds, where the options allow them.</summary>
    private static void Deep()
    {
        PackOptions options = new PackOptions { Depth = int.MaxValue };
        byte[] bytes = new byte[5 * 200000 + 1];
        Tree tree = new Tree();
        for (int at = 0; at < bytes.Length - 1; at += 5)
        {
            bytes[at] = bytes[at + 1] = 1;
            tree = new Tree { Kids = new[] { tree } };
        }
        Thread thread = new Thread(() =>
        {
            Fails("reading too deep", () => Tree.Unpack(bytes, options), "the stack");
            Fails("writing too deep", () => Tree.Pack(tree, options), "the stack");
        }, 1 << 20);
        thread.Start();
        thread.Join();
    }

    /// <summary>Each of 900 levels says that it has as many as there can be, of all bytes behind it.</summary>
    private static void Memory(string what, Reads read, int head, Func<int, int[]> begin, int count = 0)
    {
        byte[] bytes = new byte[1 << 20];
        Array.Fill(bytes, (byte)0xFF);
        int at = 0;
        for (int level = 0; level < 900; level++)
        {
            int[] parts = begin(0);
            bytes[at++] = (byte)parts[0];
            int left = bytes.Length - at;
            if (parts.Length > 1)
            {
                // The head and the dimensions of a grid.
                bytes[at++] = (byte)parts[1];
                int squares = bytes.Length - at - 12;
                BitConverter.TryWriteBytes(bytes.AsSpan(at), 1);
                BitConverter.TryWriteBytes(bytes.AsSpan(at + 4), squares);
                BitConverter.TryWriteBytes(bytes.AsSpan(at + 8), squares);
                at += 12;
                continue;
            }
            BitConverter.TryWriteBytes(bytes.AsSpan(at), count > 0 ? count : (left - 4) / (head == 6 ? 2 : 1));
            at += 4;
            if (head == 6) bytes[at++] = 7;
        }
        // What stands behind them is not an object.
        Array.Fill(bytes, (byte)0xFE, at, bytes.Length - at);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Fails(what, () => read(bytes), "members");
        long taken = GC.GetAllocatedBytesForCurrentThread() - before;
        Check(taken < 32 << 20, $"{what}: {taken} bytes for {bytes.Length}");
    }
}
