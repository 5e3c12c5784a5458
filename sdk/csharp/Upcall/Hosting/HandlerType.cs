using System;
using System.IO;
using System.Linq;
using System.Reflection;
using Upcall.Abi;

namespace Upcall.Hosting;

/// <summary>A handler's class, found and checked.</summary>
internal sealed class HandlerType
{
    private readonly ConstructorInfo constructor;

    private HandlerType(ConstructorInfo constructor) => this.constructor = constructor;

    internal static HandlerType Load(string file, string name)
    {
        string attempt = $"load C# handler {name} from {file}";
        Assembly assembly = Open(file, attempt);
        Type type = assembly.GetType(name) ?? throw Missing(attempt, assembly, name, "there is no such class");
        if (type.IsAbstract || type.ContainsGenericParameters || !Driver.Drives(type))
        {
            string interfaces = $"{nameof(IObjectHandler)} or {nameof(IBatchHandler)}, or derive from FlowHandler<TIn, TOut>";
            string why = type.IsAbstract || type.ContainsGenericParameters
                ? "it is abstract or generic; name a class that can be made"
                : $"it is not a handler; implement {interfaces}";
            throw Missing(attempt, assembly, name, why);
        }
        const BindingFlags Any = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;
        ConstructorInfo? constructor = type.GetConstructor(Any, Type.EmptyTypes);
        if (constructor == null)
        {
            throw new LoadException(
                LoadFailure.ConstructorFailed,
                $"{attempt}: it has no constructor without parameters; add one and take settings in {nameof(IOpen.OnOpen)}");
        }
        Rehearsal.For(assembly);
        return new HandlerType(constructor);
    }

    /// <summary>Makes an instance; what its constructor throws comes out as it is.</summary>
    internal Driver Instantiate()
    {
        Driver driver = Driver.Of(constructor.Invoke(BindingFlags.DoNotWrapExceptions, null, [], null));
        driver.Prepare();
        return driver;
    }

    private static Assembly Open(string file, string attempt)
    {
        if (!File.Exists(file))
        {
            throw new LoadException(
                LoadFailure.FileMissing, $"{attempt}: there is no such file; build the handler first");
        }
        Assembly assembly;
        try
        {
            assembly = HandlerContext.Open(Path.GetFullPath(file));
        }
        catch (BadImageFormatException)
        {
            throw new LoadException(
                LoadFailure.FileInvalid, $"{attempt}: it is not a .NET assembly; name the .dll that the C# compiler wrote");
        }
        catch (FileLoadException exception)
        {
            throw new LoadException(LoadFailure.FileInvalid, $"{attempt}: it does not load: {exception.Message}");
        }
        CheckAbi(assembly, attempt);
        return assembly;
    }

    /// <summary>The version of Upcall.dll that it was compiled against has the number as its major.</summary>
    private static void CheckAbi(Assembly assembly, string attempt)
    {
        string? own = typeof(HandlerType).Assembly.GetName().Name;
        foreach (AssemblyName reference in assembly.GetReferencedAssemblies())
        {
            if (reference.Name == own && reference.Version?.Major is int major && major != Boundary.Abi)
            {
                throw new LoadException(
                    LoadFailure.AbiMismatch,
                    $"{attempt}: built for ABI {major}, this is ABI {Boundary.Abi}; build it again with this Upcall.dll");
            }
        }
    }

    private static LoadException Missing(string attempt, Assembly assembly, string name, string why)
    {
        string[] handlers;
        try
        {
            handlers = assembly.GetTypes()
                .Where(type => !type.IsAbstract && !type.ContainsGenericParameters && Driver.Drives(type))
                .Select(type => type.FullName!)
                .ToArray();
        }
        catch (ReflectionTypeLoadException exception)
        {
            string first = exception.LoaderExceptions.FirstOrDefault()?.Message ?? exception.Message;
            return new LoadException(LoadFailure.FileInvalid, $"{attempt}: a type of it does not load: {first}");
        }
        string found = handlers.Length == 0 ? "it holds no handlers" : $"it holds {string.Join(", ", handlers)}";
        string? nearest = Nearest.To(name, handlers);
        string advice = nearest == null || nearest == name ? "" : $"; did you mean {nearest}?";
        return new LoadException(LoadFailure.HandlerMissing, $"{attempt}: {why}; {found}{advice}");
    }
}
