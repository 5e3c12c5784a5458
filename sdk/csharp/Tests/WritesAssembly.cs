using System;
using System.IO;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using System.Text;

namespace Upcall.Tests;

/// <summary>
/// Writes an empty assembly that was, as far as its references tell, built against an Upcall.dll of the next ABI.
/// </summary>
public sealed class WritesAssembly : IObjectHandler
{
    /// <summary>The key is its name, the value where to write it.</summary>
    public void OnObject(FlowObject obj, Emitter emit)
    {
        var metadata = new MetadataBuilder();
        StringHandle name = metadata.GetOrAddString(obj.KeyText);
        GuidHandle id = metadata.GetOrAddGuid(Guid.NewGuid());
        metadata.AddModule(0, name, id, default, default);
        metadata.AddAssembly(name, new Version(1, 0, 0, 0), default, default, default, AssemblyHashAlgorithm.None);
        var next = new Version(typeof(IObjectHandler).Assembly.GetName().Version!.Major + 1, 0, 0, 0);
        metadata.AddAssemblyReference(metadata.GetOrAddString("Upcall"), next, default, default, default, default);
        metadata.AddTypeDefinition(
            default, default, metadata.GetOrAddString("<Module>"), default,
            MetadataTokens.FieldDefinitionHandle(1), MetadataTokens.MethodDefinitionHandle(1));
        var image = new BlobBuilder();
        new ManagedPEBuilder(PEHeaderBuilder.CreateLibraryHeader(), new MetadataRootBuilder(metadata), new BlobBuilder())
            .Serialize(image);
        using FileStream file = File.Create(obj.ValueText);
        image.WriteContentTo(file);
    }
}

/// <summary>Loads the assembly that the key names and emits what it is called.</summary>
public sealed class LoadsAssembly : IObjectHandler
{
    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit) =>
        emit.Put(Encoding.UTF8.GetBytes(Assembly.Load(obj.KeyText).GetName().Name!), default);
}
