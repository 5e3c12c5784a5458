//! Enums of Rust, which other languages fill with any number.

/// None of its values is zero.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(u8)]
pub enum Color {
    Red = 1,
    Green = 2,
    Blue = 9,
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(i16)]
pub enum Sign {
    Minus = -1,
    None = 0,
    Plus = 1,
}

#[derive(Clone, Copy)]
#[repr(C, u8)]
pub enum Shape {
    Dot,
    Disc(f32),
    Painted { size: i32, color: Color },
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct Pixel {
    pub x: i32,
    pub color: Color,
    pub signs: [Sign; 2],
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct Scene {
    pub pixel: Pixel,
    pub shapes: [Shape; 2],
}

#[unsafe(no_mangle)]
pub extern "C" fn flip(color: Color) -> Color {
    match color {
        Color::Red => Color::Green,
        Color::Green => Color::Blue,
        Color::Blue => Color::Red,
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn area(shape: Shape) -> f32 {
    match shape {
        Shape::Dot => 0.0,
        Shape::Disc(radius) => 3.0 * radius * radius,
        Shape::Painted { size, color } => (size * color as i32) as f32,
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn area_of(shape: &Shape) -> f32 {
    area(*shape)
}

/// Fills a shape, which need not be one before.
///
/// # Safety
/// There is room for a shape.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn disc(shape: *mut Shape, radius: f32) {
    // SAFETY: the caller's promise.
    unsafe { shape.write(Shape::Disc(radius)) };
}

#[unsafe(no_mangle)]
pub extern "C" fn weigh(pixel: Pixel) -> i32 {
    pixel.x + pixel.color as i32 + pixel.signs.iter().map(|sign| *sign as i32).sum::<i32>()
}

#[unsafe(no_mangle)]
pub extern "C" fn show(scene: Scene) -> f32 {
    weigh(scene.pixel) as f32 + scene.shapes.into_iter().map(|shape| area(shape)).sum::<f32>()
}

#[unsafe(no_mangle)]
pub extern "C" fn flipped(color: &Color) -> Color {
    flip(*color)
}

#[unsafe(no_mangle)]
pub extern "C" fn weight(pixel: &Pixel) -> i32 {
    weigh(*pixel)
}

/// The color that a function chooses, as a number.
#[unsafe(no_mangle)]
pub extern "C" fn chosen(choose: extern "C" fn(i32) -> Color) -> i32 {
    let color = choose(4);
    [Color::Red, Color::Green, Color::Blue].iter().position(|known| *known == color).map_or(-1, |at| at as i32)
}

/// How large the shape is that a function makes.
#[unsafe(no_mangle)]
pub extern "C" fn drawn(draw: extern "C" fn(i32) -> Shape) -> f32 {
    area(draw(4))
}

/// Remembers in `seen` what a function has chosen, so that it can be looked at when the call has failed.
#[unsafe(no_mangle)]
pub extern "C" fn remembered(choose: extern "C" fn(i32) -> Color, seen: &mut u8) {
    *seen = choose(4) as u8;
}
