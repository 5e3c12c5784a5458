import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import limits.*;

public final class Main {
    private Main() {}

    private static void refused(String message, Runnable call) {
        try {
            call.run();
        } catch (IllegalArgumentException error) {
            check(error.getMessage().equals(message), error.getMessage());
            return;
        }
        throw new AssertionError("it was called: " + message);
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new AssertionError(message);
        }
    }

    public static void main(String[] given) {
        check(Limits.flip(Color.RED) == Color.GREEN, "flip");
        refused("flip: color is 3, which is not a value of Color", () -> Limits.flip(3));
        refused("flip: color is 265, which is not a value of Color", () -> Limits.flip(265));
        try (Arena arena = Arena.ofConfined()) {
            Pixel pixel = Pixel.allocate(arena).x(1).color(Color.BLUE).signs(0L, Sign.MINUS).signs(1L, Sign.MINUS);
            check(Limits.weigh(pixel) == 8, "weigh");
            pixel.signs(1L, -2);
            refused("weigh: pixel holds -2 in signs[1], which is not a value of Sign", () -> Limits.weigh(pixel));
            pixel.signs(1L, Sign.MINUS);
            refused("weigh: pixel holds 0 in color, which is not a value of Color", () -> Limits.weigh(Pixel.allocate(arena)));

            Shape disc = Shape.allocate(arena);
            Limits.disc(disc, 2f);
            check(Limits.area(disc) == 12f && Limits.areaOf(disc) == 12f, "area");
            Shape wrong = Shape.allocate(arena);
            wrong.segment().set(ValueLayout.JAVA_BYTE, 0L, (byte) 200);
            refused("area: shape is 200, which is not a tag of Shape", () -> Limits.area(wrong));
            Scene scene = Scene.allocate(arena).pixel(pixel).shapes(0L, disc);
            check(Limits.show(scene) == 20f, "show");
            scene.shapes(1L).setPainted(3, 0);
            refused("show: scene holds 0 in shapes[1].Painted.color, which is not a value of Color", () -> Limits.show(scene));

            check(Limits.chosen(number -> Color.BLUE) == 2, "chosen");
            refused("ChosenChoose: the result is 5, which is not a value of Color", () -> Limits.chosen(number -> 5));
            check(Limits.drawn(number -> disc) == 12f, "drawn");
            refused("DrawnDraw: the result is 200, which is not a tag of Shape", () -> Limits.drawn(number -> wrong));
            MemorySegment seen = arena.allocate(1L);
            refused("RememberedChoose: the result is 5, which is not a value of Color", () -> Limits.remembered(number -> 5, seen));
            check(seen.get(ValueLayout.JAVA_BYTE, 0L) == Color.RED, "native code is given a value all the same");
        }
        System.out.println("done");
    }
}
