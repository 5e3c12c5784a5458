using System;
using Upcall.Hosting;

namespace Upcall;

/// <summary>A handler that the program makes itself.</summary>
internal sealed class GivenHandler(Func<object> make) : IModule
{
    public Driver Instantiate()
    {
        object handler = make() ?? throw new InvalidOperationException("the function that makes the handler returned null");
        Driver driver = Drivers.Of(handler);
        driver.Prepare();
        return driver;
    }
}
