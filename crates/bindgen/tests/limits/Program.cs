using System;
using Limits;

internal static unsafe class Program
{
    private static void Refused(string message, Action call)
    {
        try
        {
            call();
        }
        catch (ArgumentOutOfRangeException error)
        {
            Check(error.Message.StartsWith(message), error.Message);
            return;
        }
        throw new InvalidOperationException($"it was called: {message}");
    }

    private static void Check(bool holds, string message)
    {
        if (!holds) throw new InvalidOperationException(message);
    }

    private static void Main()
    {
        Check(Api.Flip(Color.Red) == Color.Green, "flip");
        Refused("Flip: color is 3, which is not a value of Color (Parameter 'color')", () => Api.Flip((Color)3));

        Pixel pixel = new() { X = 1, Color = Color.Blue };
        pixel.Signs[0] = pixel.Signs[1] = Sign.Minus;
        Check(Api.Weigh(pixel) == 8, "weigh");
        Pixel other = pixel;
        other.Signs[1] = (Sign)(-2);
        Refused("Weigh: pixel holds -2 in signs[1], which is not a value of Sign", () => Api.Weigh(other));
        Refused("Weigh: pixel holds 0 in color, which is not a value of Color", () => Api.Weigh(default));

        Shape disc;
        NativeMethods.disc(&disc, 2);
        Shape made = disc;
        Check(Api.Area(disc) == 12 && Api.AreaOf(disc) == 12, "area");
        Shape wrong = default;
        *(byte*)&wrong = 200;
        Shape tagged = wrong;
        Refused("Area: shape is 200, which is not a tag of Shape", () => Api.Area(tagged));
        Refused("AreaOf: shape is 200, which is not a tag of Shape", () => Api.AreaOf(tagged));
        Scene scene = new() { Pixel = pixel };
        scene.Shapes[0] = disc;
        Check(Api.Show(scene) == 20, "show");
        Scene painted = scene;
        painted.Shapes[1] = Shape.NewPainted(3, 0);
        Refused("Show: scene holds 0 in shapes[1].Painted.color, which is not a value of Color", () => Api.Show(painted));

        Check(Api.Chosen(_ => Color.Blue) == 2, "chosen");
        Refused("ChosenChoose: the result is 5, which is not a value of Color", () => Api.Chosen(_ => (Color)5));
        Check(Api.Drawn(_ => made) == 12, "drawn");
        Refused("DrawnDraw: the result is 200, which is not a tag of Shape", () => Api.Drawn(_ => tagged));
        byte seen = 0;
        try { Api.Remembered(_ => throw new NotSupportedException(), ref seen); }
        catch (NotSupportedException) { Check(seen == (byte)Color.Red, "native code is given a value all the same"); }
        Console.WriteLine("done");
    }
}
