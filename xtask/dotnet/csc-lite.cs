// csc-lite: a C# compiler for machines that have a .NET runtime and Roslyn's two assemblies, but no SDK.
// It takes the options of Microsoft's csc that `cargo xtask build` passes, so that either can be called.
//
// Most of what a compilation takes is Roslyn's own compilation by the runtime. `csc-lite -server SOCKET` is compiled
// once: it compiles for every other csc-lite whose UPCALL_CSC_SERVER names its socket, until its input ends.
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.IO;
using System.Linq;
using System.Net.Sockets;
using System.Reflection;
using System.Text;
using System.Threading;
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

    // What the server answers where the asker has to compile by itself.
    private const int Elsewhere = -1;

    // As deep as a main thread's, for expressions that are nested deep.
    private const int Stack = 16 << 20;

    public static int Main(string[] args)
    {
        if (args.Length == 2 && args[0] == "-server") return Serve(args[1]);
        string server = Environment.GetEnvironmentVariable("UPCALL_CSC_SERVER") ?? "";
        int code = server.Length > 0 ? Ask(server, args) : Elsewhere;
        return code == Elsewhere ? Run(args, Directory.GetCurrentDirectory(), Console.Error, false) : code;
    }

    // Compiles for an asker in this folder, which hears what is said.
    private static int Run(string[] args, string folder, TextWriter said, bool serving)
    {
        try
        {
            Options options = Parse(args.SelectMany(argument => Expand(argument, folder)), folder);
            // A generator is loaded for good, and its file may be another next time.
            if (serving && options.Generators.Count > 0) return Elsewhere;
            return Compile(options, said) ? 0 : 1;
        }
        catch (Exception e) when (e is ArgumentException || e is IOException)
        {
            said.WriteLine("csc-lite: " + e.Message);
            return 2;
        }
    }

    private static int Serve(string path)
    {
        using var listener = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        listener.Bind(new UnixDomainSocketEndPoint(path));
        listener.Listen(64);
        var accepting = new Thread(() =>
        {
            while (true)
            {
                Socket asker;
                try
                {
                    asker = listener.Accept();
                }
                catch (Exception e) when (e is SocketException || e is ObjectDisposedException)
                {
                    // The input has ended, and the listener with it.
                    return;
                }
                new Thread(() => Answer(asker), Stack) { IsBackground = true }.Start();
            }
        }) { IsBackground = true };
        accepting.Start();
        Console.WriteLine("ready");
        while (Console.In.Read() >= 0) { }
        return 0;
    }

    private static void Answer(Socket asker)
    {
        try
        {
            using var stream = new NetworkStream(asker, ownsSocket: true);
            using var reader = new BinaryReader(stream);
            using var writer = new BinaryWriter(stream);
            string folder = reader.ReadString();
            var args = new string[reader.ReadInt32()];
            for (int i = 0; i < args.Length; i++) args[i] = reader.ReadString();
            var said = new StringWriter();
            int code = Elsewhere;
            try
            {
                code = Run(args, folder, said, true);
            }
            catch (Exception)
            {
                // The asker meets it too, and ends by it.
            }
            writer.Write(code);
            writer.Write(said.ToString());
        }
        catch (Exception e) when (e is IOException || e is SocketException)
        {
            // The asker has gone.
        }
    }

    private static int Ask(string server, string[] args)
    {
        try
        {
            using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
            socket.Connect(new UnixDomainSocketEndPoint(server));
            using var stream = new NetworkStream(socket);
            using var reader = new BinaryReader(stream);
            using var writer = new BinaryWriter(stream);
            writer.Write(Directory.GetCurrentDirectory());
            writer.Write(args.Length);
            foreach (string argument in args) writer.Write(argument);
            int code = reader.ReadInt32();
            Console.Error.Write(reader.ReadString());
            return code;
        }
        catch (Exception e) when (e is IOException || e is SocketException)
        {
            return Elsewhere;
        }
    }

    // `@file` stands for the arguments in that file, one per line.
    private static IEnumerable<string> Expand(string argument, string folder)
    {
        return argument.StartsWith("@", StringComparison.Ordinal)
            ? File.ReadAllLines(Path.GetFullPath(argument.Substring(1), folder))
                .Where(line => line.Length > 0).Select(line => line.Replace("\"", ""))
            : new[] { argument };
    }

    private static Options Parse(IEnumerable<string> arguments, string folder)
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
                case "-out": options.Output = Path.GetFullPath(value, folder); break;
                case "-doc": options.Documentation = Path.GetFullPath(value, folder); break;
                case "-r": options.References.Add(Path.GetFullPath(value, folder)); break;
                case "-analyzer": options.Generators.Add(Path.GetFullPath(value, folder)); break;
                case "-define": options.Symbols.AddRange(value.Split(';')); break;
                case "-target" when value == "library": options.Kind = OutputKind.DynamicallyLinkedLibrary; break;
                case "-target" when value == "exe": options.Kind = OutputKind.ConsoleApplication; break;
                case "-pathmap" when value.Contains('='):
                    options.MapFrom = value.Substring(0, value.IndexOf('='));
                    options.MapTo = value.Substring(value.IndexOf('=') + 1);
                    break;
                case "" when !argument.StartsWith("-", StringComparison.Ordinal): options.Sources.Add(Path.GetFullPath(argument, folder)); break;
                default: throw new ArgumentException("option " + argument + " is not one that it knows");
            }
        }
        if (options.Output.Length == 0) throw new ArgumentException("no -out:FILE was given");
        if (options.Sources.Count == 0) throw new ArgumentException("no source file was given");
        return options;
    }

    // The framework's assemblies, which are the same for every compilation.
    private static readonly ConcurrentDictionary<string, MetadataReference> Framework =
        new ConcurrentDictionary<string, MetadataReference>();

    private static readonly string FrameworkFolder = Path.GetDirectoryName(typeof(object).Assembly.Location)!;

    private static MetadataReference Reference(string file)
    {
        return Path.GetDirectoryName(file) == FrameworkFolder
            ? Framework.GetOrAdd(file, path => MetadataReference.CreateFromFile(path))
            : MetadataReference.CreateFromFile(file);
    }

    private static bool Compile(Options options, TextWriter said)
    {
        // Missing XML comments are reported only when they are asked for, as csc does.
        var parse = new CSharpParseOptions(LanguageVersion.CSharp12,
            options.Documentation.Length > 0 ? DocumentationMode.Diagnose : DocumentationMode.Parse,
            preprocessorSymbols: options.Symbols);
        var sources = options.Sources.Select(file =>
        {
            using FileStream stream = File.OpenRead(file);
            return CSharpSyntaxTree.ParseText(SourceText.From(stream, Encoding.UTF8), parse, file);
        });

        var map = options.MapFrom.Length == 0
            ? ImmutableArray<KeyValuePair<string, string>>.Empty
            : ImmutableArray.Create(new KeyValuePair<string, string>(options.MapFrom, options.MapTo));
        Compilation compilation = CSharpCompilation.Create(
            Path.GetFileNameWithoutExtension(options.Output),
            sources,
            options.References.Select(Reference),
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
                said.WriteLine(diagnostic.ToString());
        }
        if (!result.Success || complaints.Any(complaint => complaint.Severity == DiagnosticSeverity.Error)) return false;
        File.WriteAllBytes(options.Output, assembly.ToArray());
        if (documentation != null) File.WriteAllBytes(options.Documentation, documentation.ToArray());
        return true;
    }

    // The source generators of an assembly; analyzers in it are not run.
    private static IEnumerable<ISourceGenerator> GeneratorsOf(string file)
    {
        foreach (Type type in Assembly.LoadFrom(file).GetTypes())
        {
            if (type.IsAbstract || type.GetCustomAttribute<GeneratorAttribute>() == null) continue;
            object made = Activator.CreateInstance(type)!;
            yield return made is IIncrementalGenerator incremental ? incremental.AsSourceGenerator() : (ISourceGenerator)made;
        }
    }
}
