using System;
using Upcall.Hosting;

namespace Upcall;

/// <summary>A handler that the program makes itself.</summary>
internal sealed class GivenHandler(Func<object> make, InsideFlow inside) : IModule
{
    public Driver Instantiate()
    {
        object handler = make() ?? throw new InvalidOperationException("the function that makes the handler returned null");
        Driver driver = Drivers.Of(handler);
        if (driver is AsyncDriver later)
        {
            later.Inside = inside;
        }
        driver.Prepare();
        return driver;
    }
}
