"""Compile csc-lite the first time: Roslyn is called from Python, since nothing else can call it yet.

Usage: bootstrap.py DOTNET_ROOT ROSLYN_DIR SOURCE OUT
"""

import json
import os
import sys
import tempfile
from pathlib import Path


def start_runtime(root: Path) -> None:
    """Start the .NET runtime in `root` inside this Python."""
    os.environ["DOTNET_SYSTEM_GLOBALIZATION_INVARIANT"] = "1"
    from clr_loader import get_coreclr
    from pythonnet import set_runtime

    framework = {"name": "Microsoft.NETCore.App", "version": "8.0.0"}
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "runtimeconfig.json"
        config.write_text(json.dumps({"runtimeOptions": {"tfm": "net8.0", "framework": framework}}))
        set_runtime(get_coreclr(dotnet_root=str(root), runtime_config=str(config)))


def compile_source(root: Path, roslyn: Path, source: Path, out: Path) -> list[str]:
    """Compile `source` to `out` and return the errors."""
    import clr

    assemblies = [roslyn / "Microsoft.CodeAnalysis.dll", roslyn / "Microsoft.CodeAnalysis.CSharp.dll"]
    for assembly in assemblies:
        clr.AddReference(str(assembly))
    import Microsoft.CodeAnalysis as analysis
    import Microsoft.CodeAnalysis.CSharp as csharp
    from System.Collections.Generic import List
    from System.IO import File

    framework = max((root / "shared" / "Microsoft.NETCore.App").iterdir())
    managed = [f for f in sorted(framework.glob("*.dll")) if not f.name.startswith("lib")]
    references = List[analysis.MetadataReference]()
    for file in managed + assemblies:
        references.Add(analysis.MetadataReference.CreateFromFile(str(file)))
    trees = List[analysis.SyntaxTree]()
    parse = csharp.CSharpParseOptions(csharp.LanguageVersion.Latest)
    trees.Add(csharp.CSharpSyntaxTree.ParseText(source.read_text(encoding="utf-8"), parse))
    options = csharp.CSharpCompilationOptions(analysis.OutputKind.ConsoleApplication)
    options = options.WithOptimizationLevel(analysis.OptimizationLevel.Release).WithDeterministic(True)

    stream = File.Create(str(out))
    result = csharp.CSharpCompilation.Create("csc-lite", trees, references, options).Emit(stream)
    stream.Close()
    return [str(d) for d in result.Diagnostics if str(d.Severity) == "Error"]


def main() -> None:
    """Read the arguments, compile, and leave no broken output behind."""
    root, roslyn, source, out = (Path(argument).resolve() for argument in sys.argv[1:5])
    start_runtime(root)
    errors = compile_source(root, roslyn, source, out)
    if errors:
        out.unlink()
        sys.exit("\n".join(errors))


main()
