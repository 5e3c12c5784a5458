using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using Upcall.Abi;

namespace Upcall.Hosting;

/// <summary>A handler's class, found and checked.</summary>
internal sealed class HandlerType : IModule
{
    private readonly ConstructorInfo constructor;

    private HandlerType(ConstructorInfo constructor) => this.constructor = constructor;

    internal static HandlerType Load(string file, string name)
    {
        Assembly assembly = Open(file);
        Type type = assembly.GetType(name) ?? throw Missing(assembly, "there is no such class");
        if (type.IsAbstract || type.ContainsGenericParameters)
        {
            throw Missing(assembly, "it is abstract or generic; name a class that can be made");
        }
        if (!Drivers.Drives(type))
        {
            throw Missing(assembly, $"it is not a handler; {Drivers.Advice}");
        }
        if (Drivers.Unfit(type) is string why)
        {
            throw Missing(assembly, why);
        }
        const BindingFlags Any = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;
        ConstructorInfo? constructor = type.GetConstructor(Any, Type.EmptyTypes);
        if (constructor == null)
        {
            throw new LoadException(
                Refusal.ConstructorFailed,
                "it has no constructor without parameters; add one and take settings in OnOpen");
        }
        Rehearsal.For(type);
        return new HandlerType(constructor);
    }

    public Driver Instantiate()
    {
        Driver driver = Drivers.Of(constructor.Invoke(BindingFlags.DoNotWrapExceptions, null, [], null));
        driver.Prepare();
        return driver;
    }

    private static Assembly Open(string file)
    {
        if (!File.Exists(file))
        {
            throw new LoadException(Refusal.FileMissing, "there is no such file; build the handler first");
        }
        Assembly assembly;
        try
        {
            assembly = HandlerContext.Open(Path.GetFullPath(file));
        }
        catch (BadImageFormatException)
        {
            throw new LoadException(
                Refusal.FileInvalid, "it is not a .NET assembly; name the .dll that the C# compiler wrote");
        }
        catch (FileLoadException exception)
        {
            throw new LoadException(Refusal.FileInvalid, $"it does not load: {exception.Message}");
        }
        CheckAbi(assembly);
        return assembly;
    }

    /// <summary>The version of Upcall.dll that it was compiled against has the number as its major.</summary>
    private static void CheckAbi(Assembly assembly)
    {
        string? own = typeof(HandlerType).Assembly.GetName().Name;
        foreach (AssemblyName reference in assembly.GetReferencedAssemblies())
        {
            if (reference.Name == own && reference.Version?.Major is int major && major != Boundary.Abi)
            {
                throw new LoadException(
                    Refusal.AbiMismatch,
                    $"built for ABI {major}, this is ABI {Boundary.Abi}; build it again with this Upcall.dll");
            }
        }
    }

    /// <summary>Why the class is none, and each handler that there is, on a line of its own.</summary>
    private static LoadException Missing(Assembly assembly, string why)
    {
        try
        {
            IEnumerable<string> handlers = assembly.GetTypes()
                .Where(type => !type.IsAbstract && !type.ContainsGenericParameters && Drivers.Drives(type) && Drivers.Unfit(type) == null)
                .Select(type => type.FullName!);
            return new LoadException(Refusal.HandlerMissing, string.Join('\n', handlers.Prepend(why)));
        }
        catch (ReflectionTypeLoadException exception)
        {
            string first = exception.LoaderExceptions.FirstOrDefault()?.Message ?? exception.Message;
            return new LoadException(Refusal.FileInvalid, $"a type of it does not load: {first}");
        }
    }
}
