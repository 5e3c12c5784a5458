using System;
using Swarm;

internal static class Program
{
    private static void Main()
    {
        using (Bodies bodies = new(1000))
        {
            BodySpans columns = bodies.Columns();
            Span<float> speed = columns.Speed.AsSpan();
            Span<ulong> id = columns.Id.AsSpan();
            if (id[999] != 999ul << 33) throw new InvalidOperationException("the ids are not there");
            float sum = 0;
            foreach (float one in speed) sum += one;
            Console.WriteLine($"{sum:F0} {bodies.Total():F0}");
            foreach (ref float one in speed) one *= 2;
            columns.Engine.Thrust.AsSpan().Fill(1.5);
            Span<Place> places = columns.Place.AsSpan();
            if (places.Length != 1000 || places[7].Row != 7) throw new InvalidOperationException("the places are not there");
            places[7].Column = 41;
            Console.WriteLine($"{bodies.Total():F0}");
        }
        using Bodies nothing = new(0);
        if (!nothing.Columns().Speed.AsSpan().IsEmpty) throw new InvalidOperationException("there is nothing");
    }
}
