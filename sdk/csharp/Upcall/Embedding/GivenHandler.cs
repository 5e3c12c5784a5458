using System;
using Upcall.Abi;
using Upcall.Hosting;

namespace Upcall;

/// <summary>A handler that the program makes itself.</summary>
internal sealed class GivenHandler(Func<object> make, InsideFlow inside) : IModule
{
    public Driver Instantiate()
    {
        object handler = make() ?? throw new InvalidOperationException("the function that makes the handler returned null");
        if (Drivers.Refused(handler.GetType()) is string why)
        {
            // It was made: no constructor has failed.
            throw new LoadException(Refusal.HandlerMissing, why);
        }
        Driver driver = Drivers.Of(handler);
        driver.Inside = inside;
        driver.Prepare();
        return driver;
    }
}
