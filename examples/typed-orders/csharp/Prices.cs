using System;
using System.Globalization;
using System.Linq;
using Upcall;

namespace Orders;

/// <summary>Makes a bill of an order; who orders for 10.00 or more gets the discount, in percent.</summary>
public sealed class Prices : FlowHandler<Order, Bill>, IOpen
{
    private ulong discount;

    /// <inheritdoc/>
    public void OnOpen(OpenContext open) =>
        discount = ulong.Parse(open.Setting("discount") ?? "0", CultureInfo.InvariantCulture);

    /// <inheritdoc/>
    public override void OnObject(in Order value, FlowObject obj, Emitter<Bill> emit)
    {
        ulong cents = value.Lines.Aggregate(0UL, (sum, line) => sum + (line.Count * line.Cents));
        if (cents >= 1000)
        {
            cents -= cents * discount / 100;
        }
        uint items = (uint)value.Lines.Sum(line => line.Count);
        emit.Put(obj.Key, new Bill { Customer = value.Customer, Items = items, Cents = cents });
    }
}
