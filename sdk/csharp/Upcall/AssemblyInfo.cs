using System.Reflection;
using System.Runtime.CompilerServices;
using Upcall.Abi;

// The major version is the number of the boundary: an assembly's reference to Upcall carries it, which is
// how a handler that was built for another number is recognised before any of its code runs.
[assembly: AssemblyVersion(Boundary.AbiText + ".0.0.0")]
[assembly: AssemblyFileVersion("0.1.0")]
[assembly: AssemblyTitle("Upcall")]
[assembly: AssemblyDescription("Write an Upcall handler in C#: interfaces, views over the frame, a test harness")]
// The tests make frames by hand, which nothing public does.
[assembly: InternalsVisibleTo("Upcall.Tests")]
[assembly: DisableRuntimeMarshalling]
[module: SkipLocalsInit]
