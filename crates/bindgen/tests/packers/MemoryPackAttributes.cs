// Stands for the attributes of Cysharp's MemoryPack, where only what bindgen writes has to compile.
using System;

namespace MemoryPack
{
    internal enum GenerateType { Object, VersionTolerant, CircularReference }

    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct | AttributeTargets.Interface)]
    internal sealed class MemoryPackableAttribute : Attribute
    {
        public MemoryPackableAttribute(GenerateType type = GenerateType.Object) { }
    }

    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Interface, AllowMultiple = true)]
    internal sealed class MemoryPackUnionAttribute : Attribute
    {
        public MemoryPackUnionAttribute(ushort tag, Type type) { }
    }

    [AttributeUsage(AttributeTargets.Field | AttributeTargets.Property)]
    internal abstract class OnMember : Attribute { }

    internal sealed class MemoryPackOrderAttribute : OnMember
    {
        public MemoryPackOrderAttribute(int order) { }
    }

    internal sealed class MemoryPackIncludeAttribute : OnMember { }
    internal sealed class Utf8StringFormatterAttribute : OnMember { }
    internal sealed class Utf16StringFormatterAttribute : OnMember { }
    internal sealed class BitPackFormatterAttribute : OnMember { }
    internal sealed class BrotliFormatterAttribute : OnMember { }
    internal sealed class BrotliStringFormatterAttribute : OnMember { }
}
