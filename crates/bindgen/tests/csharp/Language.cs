// Compiles a file as a given C# version: <version> <framework> <file>. The test compiler knows one version only.
using System;
using System.IO;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

internal static class Program
{
    private static int Main(string[] arguments)
    {
        LanguageVersion version = (LanguageVersion)(int.Parse(arguments[0]) * 100);
        SyntaxTree tree = CSharpSyntaxTree.ParseText(
            File.ReadAllText(arguments[2]), new CSharpParseOptions(version, DocumentationMode.Diagnose));
        var references = Directory.GetFiles(arguments[1], "System*.dll")
            .Where(file => !file.Contains("Native"))
            .Select(file => (MetadataReference)MetadataReference.CreateFromFile(file));
        CSharpCompilation compilation = CSharpCompilation.Create("checked", new[] { tree }, references,
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true,
                generalDiagnosticOption: ReportDiagnostic.Error, nullableContextOptions: NullableContextOptions.Enable));
        Diagnostic[] wrong = compilation.GetDiagnostics().Where(d => d.Severity == DiagnosticSeverity.Error).ToArray();
        foreach (Diagnostic diagnostic in wrong) Console.WriteLine(diagnostic);
        Console.WriteLine(wrong.Length == 0 ? "fine" : "wrong");
        return wrong.Length == 0 ? 0 : 1;
    }
}
