using System.Collections.Generic;
using Upcall.Abi;

namespace Upcall;

/// <summary>What every handler learns when it is opened, whatever engine it is for. May be kept.</summary>
public class Context
{
    private readonly Dictionary<string, string> settings = [];

    internal unsafe Context(OpenFrame* frame, Log log)
    {
        ulong origin = frame->Head.Base[Base.Batch];
        foreach (ref readonly Setting setting in frame->Settings.Elements(origin))
        {
            settings[setting.Name.Text(origin)] = setting.Value.Text(origin);
        }
        Name = frame->Name.Text(origin);
        Worker = (int)frame->Worker;
        Workers = (int)frame->Workers;
        Log = log;
    }

    /// <summary>The handler's name.</summary>
    public string Name { get; }

    /// <summary>Index of this worker among those that run the handler.</summary>
    public int Worker { get; }

    /// <summary>How many workers run the handler.</summary>
    public int Workers { get; }

    /// <summary>The engine's log.</summary>
    public Log Log { get; }

    /// <summary>The value of a setting; JSON text where it is not a plain value; null when it is not set.</summary>
    public string? Setting(string name) => settings.GetValueOrDefault(name);
}
