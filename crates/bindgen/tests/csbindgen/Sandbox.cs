// Compiles a program with a source generator that is compiled first:
// <framework> <generator.cs> <program.dll> <generated.txt> <sources>. The test compiler runs no generators.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

internal static class Sandbox
{
    private static readonly CSharpParseOptions Parse = new(LanguageVersion.CSharp12);

    private static int Main(string[] arguments)
    {
        MetadataReference[] framework = Directory.GetFiles(arguments[0], "*.dll")
            .Where(file => !Path.GetFileName(file).Contains("Native") && IsManaged(Path.GetFileName(file)))
            .Select(file => (MetadataReference)MetadataReference.CreateFromFile(file)).ToArray();
        IEnumerable<MetadataReference> roslyn = new[] { typeof(Compilation), typeof(CSharpCompilation) }
            .Select(type => (MetadataReference)MetadataReference.CreateFromFile(type.Assembly.Location));
        CSharpCompilation generator = New("generator", OutputKind.DynamicallyLinkedLibrary, framework.Concat(roslyn))
            .AddSyntaxTrees(Tree(arguments[1]), Tree("usings", Usings));
        using MemoryStream stream = new();
        if (!Told(generator.Emit(stream).Diagnostics)) return 1;
        IIncrementalGenerator[] generators = Assembly.Load(stream.ToArray()).GetTypes()
            .Where(type => typeof(IIncrementalGenerator).IsAssignableFrom(type))
            .Select(type => (IIncrementalGenerator)Activator.CreateInstance(type)!).ToArray();

        CSharpCompilation program = New("program", OutputKind.ConsoleApplication, framework)
            .AddSyntaxTrees(arguments.Skip(4).Select(file => Tree(file)).Append(Tree("usings", Usings)));
        CSharpGeneratorDriver.Create(generators).WithUpdatedParseOptions(Parse)
            .RunGeneratorsAndUpdateCompilation(program, out Compilation whole, out var said);
        IEnumerable<SyntaxTree> made = whole.SyntaxTrees.Except(program.SyntaxTrees);
        File.WriteAllText(arguments[3], string.Concat(made.Select(tree => tree.ToString())));
        using FileStream output = File.Create(arguments[2]);
        return Told(said) & Told(whole.Emit(output).Diagnostics) ? 0 : 1;
    }

    // What a project gets with `ImplicitUsings`.
    private const string Usings = "global using System; global using System.Collections.Generic; global using System.IO;"
        + "global using System.Linq; global using System.Threading; global using System.Threading.Tasks;";

    private static CSharpCompilation New(string name, OutputKind kind, IEnumerable<MetadataReference> references) =>
        CSharpCompilation.Create(name, null, references, new CSharpCompilationOptions(kind, allowUnsafe: true,
            optimizationLevel: OptimizationLevel.Release, nullableContextOptions: NullableContextOptions.Enable));

    private static SyntaxTree Tree(string file, string? text = null) =>
        CSharpSyntaxTree.ParseText(text ?? File.ReadAllText(file), Parse, file, Encoding.UTF8);

    private static bool IsManaged(string name) =>
        name.StartsWith("System.") || name.StartsWith("mscorlib") || name.StartsWith("netstandard");

    private static bool Told(IEnumerable<Diagnostic> diagnostics)
    {
        Diagnostic[] errors = diagnostics.Where(one => one.Severity == DiagnosticSeverity.Error).ToArray();
        foreach (Diagnostic error in errors) Console.WriteLine(error);
        return errors.Length == 0;
    }
}
