// What csbindgen's sandbox has commented out, on the same bindings.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using CsBindgen;

unsafe
{
    CounterContext* counter = NativeMethods.create_counter_context();
    counter->Insert(10);
    counter->Insert(20);
    NativeMethods.destroy_counter_context(counter);

    byte* text = NativeMethods.alloc_c_string();
    Console.WriteLine(Marshal.PtrToStringUTF8((nint)text));
    NativeMethods.free_c_string(text);

    ByteBuffer* buffer = NativeMethods.alloc_u8_string();
    Console.WriteLine(Encoding.UTF8.GetString(new Span<byte>(buffer->ptr, buffer->length)));
    NativeMethods.free_u8_string(buffer);
    buffer = NativeMethods.alloc_u8_buffer();
    Console.WriteLine(string.Join(" ", new Span<byte>(buffer->ptr, buffer->length).ToArray()));
    NativeMethods.free_u8_buffer(buffer);

    [UnmanagedCallersOnly(CallConvs = new[] { typeof(CallConvCdecl) })]
    static int Twice(int x) => 2 * x;

    Console.WriteLine($"{NativeMethods.callback_test(&Twice)} {NativeMethods.nullable_callback_test(null)}");
    Console.WriteLine($"{NativeMethods.enum_test(IntEnumTest.C)} {NativeMethods.callback_test2()(7)}");
    bool x = false, y = true, z = false;
    bool all = NativeMethods.my_bool(true, false, true, &x, &y, &z);
    Console.WriteLine($"{all} {x} {y} {z} {NativeMethods.return_union().bar}");
    NativeMethods.pass_vector3(new MyVector3 { x = 1, y = 2.5f, z = 3 });
    Context* context = NativeMethods.create_context();
    Console.WriteLine(context->foo);
    context->DeleteContext2();
    Counter* made = NativeMethods.counterCreate(new Args { init = 5, by = 1 });
    Console.WriteLine(NativeMethods.counterGetValue(made));
    Console.WriteLine(NestedModuleTests.triple_input(new NumberStruct { num = 14 }));
    Console.WriteLine(NestedModuleTests.number_map(NumberEnum.Three));
    Console.WriteLine($"{LibLz4.LZ4_versionNumber()} {LibLz4.LZ4_compressBound(100)}");
    Console.WriteLine($"{NativeMethods.STR} {NativeMethods.CCHAR} {HogeMoge.Y}");
}
