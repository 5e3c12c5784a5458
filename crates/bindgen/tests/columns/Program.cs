using System;
using Swarm;

internal static class Program
{
    private static void Main()
    {
        using (Bodies bodies = new(1000))
        {
            BodySpans columns = bodies.Columns();
            Span<float> speed = columns.speed.AsSpan();
            Span<ulong> id = columns.id.AsSpan();
            if (id[999] != 999ul << 33) throw new InvalidOperationException("the ids are not there");
            float sum = 0;
            foreach (float one in speed) sum += one;
            Console.WriteLine($"{sum:F0} {bodies.Total():F0}");
            foreach (ref float one in speed) one *= 2;
            columns.engine.thrust.AsSpan().Fill(1.5);
            Span<Place> places = columns.place.AsSpan();
            if (places.Length != 1000 || places[7].row != 7) throw new InvalidOperationException("the places are not there");
            places[7].column = 41;
            Console.WriteLine($"{bodies.Total():F0}");
        }
        using Bodies nothing = new(0);
        if (!nothing.Columns().speed.AsSpan().IsEmpty) throw new InvalidOperationException("there is nothing");
    }
}
