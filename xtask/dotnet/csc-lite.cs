// csc-lite: a C# compiler for machines that have a .NET runtime and Roslyn's two assemblies, but no SDK.
// It takes the options of Microsoft's csc that `cargo xtask build` passes, so that either can be called.
using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Emit;
using Microsoft.CodeAnalysis.Text;

public static class CscLite
{
    // What the build always asks for and this driver always does.
    private static readonly HashSet<string> Always = new HashSet<string>
    {
        "-nologo", "-noconfig", "-nostdlib+", "-deterministic+", "-unsafe+", "-optimize+",
        "-nullable:enable", "-langversion:12", "-warnaserror+", "-debug:embedded",
    };

    private sealed class Options
    {
        public string Output = "";
        public string Documentation = "";
        public string MapFrom = "";
        public string MapTo = "";
        public OutputKind Kind = OutputKind.ConsoleApplication;
        public readonly List<string> References = new List<string>();
        public readonly List<string> Generators = new List<string>();
        public readonly List<string> Symbols = new List<string>();
        public readonly List<string> Sources = new List<string>();
    }

    public static int Main(string[] args)
    {
        try
        {
            Options options = Parse(args.SelectMany(Expand));
            return Compile(options) ? 0 : 1;
        }
        catch (Exception e) when (e is ArgumentException || e is IOException)
        {
            Console.Error.WriteLine("csc-lite: " + e.Message);
            return 2;
        }
    }

    // `@file` stands for the arguments in that file, one per line.
    private static IEnumerable<string> Expand(string argument)
    {
        return argument.StartsWith("@", StringComparison.Ordinal)
            ? File.ReadAllLines(argument.Substring(1)).Where(line => line.Length > 0).Select(line => line.Replace("\"", ""))
            : new[] { argument };
    }

    private static Options Parse(IEnumerable<string> arguments)
    {
        var options = new Options();
        foreach (string argument in arguments)
        {
            if (Always.Contains(argument)) continue;
            int colon = argument.IndexOf(':');
            string name = argument.StartsWith("-", StringComparison.Ordinal) && colon > 0 ? argument.Substring(0, colon) : "";
            string value = argument.Substring(colon + 1);
            switch (name)
            {
                case "-out": options.Output = value; break;
                case "-doc": options.Documentation = value; break;
                case "-r": options.References.Add(value); break;
                case "-analyzer": options.Generators.Add(value); break;
                case "-define": options.Symbols.AddRange(value.Split(';')); break;
                case "-target" when value == "library": options.Kind = OutputKind.DynamicallyLinkedLibrary; break;
                case "-target" when value == "exe": options.Kind = OutputKind.ConsoleApplication; break;
                case "-pathmap" when value.Contains('='):
                    options.MapFrom = value.Substring(0, value.IndexOf('='));
                    options.MapTo = value.Substring(value.IndexOf('=') + 1);
                    break;
                case "" when !argument.StartsWith("-", StringComparison.Ordinal): options.Sources.Add(argument); break;
                default: throw new ArgumentException("option " + argument + " is not one that it knows");
            }
        }
        if (options.Output.Length == 0) throw new ArgumentException("no -out:FILE was given");
        if (options.Sources.Count == 0) throw new ArgumentException("no source file was given");
        return options;
    }

    private static bool Compile(Options options)
    {
        // Missing XML comments are reported only when they are asked for, as csc does.
        var parse = new CSharpParseOptions(LanguageVersion.CSharp12,
            options.Documentation.Length > 0 ? DocumentationMode.Diagnose : DocumentationMode.Parse,
            preprocessorSymbols: options.Symbols);
        var sources = options.Sources.Select(file =>
        {
            using FileStream stream = File.OpenRead(file);
            return CSharpSyntaxTree.ParseText(SourceText.From(stream, Encoding.UTF8), parse, Path.GetFullPath(file));
        });

        var map = options.MapFrom.Length == 0
            ? ImmutableArray<KeyValuePair<string, string>>.Empty
            : ImmutableArray.Create(new KeyValuePair<string, string>(options.MapFrom, options.MapTo));
        Compilation compilation = CSharpCompilation.Create(
            Path.GetFileNameWithoutExtension(options.Output),
            sources,
            options.References.Select(file => MetadataReference.CreateFromFile(file)),
            new CSharpCompilationOptions(options.Kind,
                allowUnsafe: true,
                deterministic: true,
                optimizationLevel: OptimizationLevel.Release,
                generalDiagnosticOption: ReportDiagnostic.Error,
                nullableContextOptions: NullableContextOptions.Enable,
                // csc unifies framework versions silently; the bare compiler reports it.
                specificDiagnosticOptions: new Dictionary<string, ReportDiagnostic>
                {
                    ["CS1701"] = ReportDiagnostic.Suppress,
                    ["CS1702"] = ReportDiagnostic.Suppress,
                },
                sourceReferenceResolver: new SourceFileResolver(ImmutableArray<string>.Empty, null, map)));

        var generators = options.Generators.SelectMany(GeneratorsOf).ToArray();
        ImmutableArray<Diagnostic> complaints = ImmutableArray<Diagnostic>.Empty;
        if (generators.Length > 0)
            CSharpGeneratorDriver.Create(generators, parseOptions: parse).RunGeneratorsAndUpdateCompilation(compilation, out compilation, out complaints);

        using var assembly = new MemoryStream();
        using var documentation = options.Documentation.Length > 0 ? new MemoryStream() : null;
        EmitResult result = compilation.Emit(assembly, xmlDocumentationStream: documentation,
            options: new EmitOptions(debugInformationFormat: DebugInformationFormat.Embedded));
        foreach (Diagnostic diagnostic in complaints.Concat(result.Diagnostics))
        {
            if (diagnostic.Severity >= DiagnosticSeverity.Warning && !diagnostic.IsSuppressed)
                Console.Error.WriteLine(diagnostic.ToString());
        }
        if (!result.Success || complaints.Any(complaint => complaint.Severity == DiagnosticSeverity.Error)) return false;
        File.WriteAllBytes(options.Output, assembly.ToArray());
        if (documentation != null) File.WriteAllBytes(options.Documentation, documentation.ToArray());
        return true;
    }

    // The source generators of an assembly; analyzers in it are not run.
    private static IEnumerable<ISourceGenerator> GeneratorsOf(string file)
    {
        foreach (Type type in Assembly.LoadFrom(Path.GetFullPath(file)).GetTypes())
        {
            if (type.IsAbstract || type.GetCustomAttribute<GeneratorAttribute>() == null) continue;
            object made = Activator.CreateInstance(type)!;
            yield return made is IIncrementalGenerator incremental ? incremental.AsSourceGenerator() : (ISourceGenerator)made;
        }
    }
}
