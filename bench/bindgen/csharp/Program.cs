using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Bench;

/// Times each function through the generated bindings and through hand-written ones.
static unsafe class Program
{
    static int kept;

    [UnmanagedCallersOnly(CallConvs = new[] { typeof(CallConvCdecl) })]
    static int Same(void* context, int value) => value;

    static void Main()
    {
        const string text = "as many letters as a name has";
        float[] numbers = new float[16];
        Array.Fill(numbers, 0.5f);
        ReadOnlySpan<byte> utf8 = "as many letters as a name has"u8;
        byte* bytes = (byte*)NativeMemory.Alloc((nuint)utf8.Length);
        utf8.CopyTo(new Span<byte>(bytes, utf8.Length));
        float* floats = (float*)NativeMemory.Alloc(16, sizeof(float));
        numbers.CopyTo(new Span<float>(floats, 16));
        nuint size = (nuint)utf8.Length;
        ApplyCallback ours = value => value;
        RepeatCallback repeated = value => value;
        Func<int, int> theirs = value => value;

        Dictionary<string, Action<int>> api = new();
        api["add"] = n => { for (int i = 0; i < n; i++) kept = Api.Add(kept, i); };
        api["struct"] = n => { Body body = new() { Dx = 1 }; for (int i = 0; i < n; i++) body = Api.Moved(body); kept = (int)body.X; };
        api["str"] = n => { for (int i = 0; i < n; i++) kept = (int)Api.Length(text); };
        api["slice"] = n => { for (int i = 0; i < n; i++) kept = (int)Api.Sum(numbers); };
        api["result"] = n => { for (int i = 0; i < n; i++) kept = (int)Api.Checked(i); };
        Rounds.Measure("add",
            ("NativeMethods", n => { for (int i = 0; i < n; i++) kept = NativeMethods.add(kept, i); }),
            ("DllImport by hand", n => { for (int i = 0; i < n; i++) kept = ByHand.add(kept, i); }),
            ("Api", api["add"]),
            ("idiomatic by hand", n => { for (int i = 0; i < n; i++) kept = ByHand.add(kept, i); }));
        Rounds.Measure("struct",
            ("NativeMethods", n => { Body body = new() { Dx = 1 }; for (int i = 0; i < n; i++) body = NativeMethods.moved(body); kept = (int)body.X; }),
            ("DllImport by hand", n => { ByHand.Body body = new() { Dx = 1 }; for (int i = 0; i < n; i++) body = ByHand.moved(body); kept = (int)body.X; }),
            ("Api", api["struct"]),
            ("idiomatic by hand", n => { ByHand.Body body = new() { Dx = 1 }; for (int i = 0; i < n; i++) body = ByHand.moved(body); kept = (int)body.X; }));
        Rounds.Measure("str",
            ("NativeMethods", n => { for (int i = 0; i < n; i++) { Failure* failure = null; kept = (int)NativeMethods.length(new Str { data = bytes, len = size }, &failure); } }),
            ("DllImport by hand", n => { for (int i = 0; i < n; i++) { ByHand.Failure* failure = null; kept = (int)ByHand.length(new ByHand.Slice { Data = bytes, Length = size }, &failure); } }),
            ("Api", api["str"]),
            ("idiomatic by hand", n => { for (int i = 0; i < n; i++) kept = (int)ByHand.Length(text); }));
        Rounds.Measure("slice",
            ("NativeMethods", n => { for (int i = 0; i < n; i++) kept = (int)NativeMethods.sum(new Slice_f32 { data = floats, len = 16 }); }),
            ("DllImport by hand", n => { for (int i = 0; i < n; i++) kept = (int)ByHand.sum(new ByHand.Slice { Data = floats, Length = 16 }); }),
            ("Api", api["slice"]),
            ("idiomatic by hand", n => { for (int i = 0; i < n; i++) kept = (int)ByHand.Sum(numbers); }));
        Rounds.Measure("result",
            ("NativeMethods", n => { for (int i = 0; i < n; i++) { Failure* failure = null; kept = (int)NativeMethods.@checked(i, &failure); } }),
            ("DllImport by hand", n => { for (int i = 0; i < n; i++) { ByHand.Failure* failure = null; kept = (int)ByHand.check(i, &failure); } }),
            ("Api", api["result"]),
            ("idiomatic by hand", n => { for (int i = 0; i < n; i++) kept = (int)ByHand.Checked(i); }));
        Rounds.Measure("callback",
            ("NativeMethods", n => { for (int i = 0; i < n; i++) kept = NativeMethods.apply(i, &Same, null); }),
            ("DllImport by hand", n => { for (int i = 0; i < n; i++) kept = ByHand.apply(i, &Same, null); }),
            ("Api", n => { for (int i = 0; i < n; i++) kept = Api.Apply(i, ours); }),
            ("idiomatic by hand", n => { for (int i = 0; i < n; i++) kept = ByHand.Apply(i, theirs); }));
        Rounds.Measure("upcall",
            ("NativeMethods", n => { for (int i = 0; i < n; i += 100) kept = NativeMethods.repeat(100, &Same, null); }),
            ("DllImport by hand", n => { for (int i = 0; i < n; i += 100) kept = ByHand.repeat(100, &Same, null); }),
            ("Api", n => { for (int i = 0; i < n; i += 100) kept = Api.Repeat(100, repeated); }),
            ("idiomatic by hand", n => { for (int i = 0; i < n; i += 100) kept = ByHand.Repeat(100, theirs); }));
        // Once there has been a callback, each call checks whether one has thrown.
        foreach ((string name, Action<int> calls) in api) Rounds.Measure(name, ("Api, after a callback", calls));
    }
}
