namespace Upcall.Abi;

internal static partial class Boundary
{
    /// <summary><see cref="Abi"/> for the assembly's version, which must be a constant string.</summary>
    internal const string AbiText = "2";
}
