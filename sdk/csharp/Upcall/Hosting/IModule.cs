namespace Upcall.Hosting;

/// <summary>What instances of a handler are made of.</summary>
internal interface IModule
{
    /// <summary>Makes an instance, on the thread of its worker; what its constructor throws comes out as it is.</summary>
    Driver Instantiate();
}
