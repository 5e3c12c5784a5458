using MemoryPack;

#pragma warning disable CS0649, CS8618 // The library fills them.

/// The shapes of the public Rust serialization benchmark, as one writes them for MemoryPack.
namespace Shapes;

public struct Address
{
    public byte X0, X1, X2, X3;
}

[MemoryPackable]
public partial class Log
{
    public Address Address;
    public string Identity;
    public string Userid;
    public string Date;
    public string Request;
    public ushort Code;
    public ulong Size;
}

[MemoryPackable]
public partial class Logs
{
    public Log[] Lines;
}

public struct Vector3
{
    public float X, Y, Z;
}

public struct Triangle
{
    public Vector3 V0, V1, V2, Normal;
}

[MemoryPackable]
public partial class Mesh
{
    public Triangle[] Triangles;
}

public enum GameType : byte
{
    Survival,
    Creative,
    Adventure,
    Spectator,
}

[MemoryPackable]
public partial class Item
{
    public sbyte Count;
    public byte Slot;
    public string Id;
}

public struct Abilities
{
    public float WalkSpeed, FlySpeed;
    public bool MayFly, Flying, Invulnerable, MayBuild, Instabuild;
}

public struct Uuid
{
    public uint X0, X1, X2, X3;
}

[MemoryPackable]
public partial class Entity
{
    public string Id;
    public (double, double, double) Pos, Motion;
    public (float, float) Rotation;
    public float FallDistance;
    public ushort Fire, Air;
    public bool OnGround, NoGravity, Invulnerable;
    public int PortalCooldown;
    public Uuid Uuid;
    public string? CustomName;
    public bool CustomNameVisible, Silent, Glowing;
}

[MemoryPackable]
public partial class RecipeBook
{
    public string[] Recipes;
    public string[] ToBeDisplayed;
    public bool IsFilteringCraftable, IsGuiOpen, IsFurnaceFilteringCraftable, IsFurnaceGuiOpen;
    public bool IsBlastingFurnaceFilteringCraftable, IsBlastingFurnaceGuiOpen;
    public bool IsSmokerFilteringCraftable, IsSmokerGuiOpen;
}

[MemoryPackable]
public partial class Player
{
    public GameType GameType, PreviousGameType;
    public long Score;
    public string Dimension;
    public uint SelectedItemSlot;
    public Item SelectedItem;
    public string? SpawnDimension;
    public long SpawnX, SpawnY, SpawnZ;
    public bool? SpawnForced;
    public ushort SleepTimer;
    public float FoodExhaustionLevel, FoodSaturationLevel;
    public uint FoodTickTimer, XpLevel;
    public float XpP;
    public int XpTotal, XpSeed;
    public Item[] Inventory, EnderItems;
    public Abilities Abilities;
    public (double, double, double)? EnteredNetherPosition;
    public (Uuid, Entity)? RootVehicle;
    public Entity? ShoulderEntityLeft, ShoulderEntityRight;
    public bool SeenCredits;
    public RecipeBook RecipeBook;
}

[MemoryPackable]
public partial class Players
{
    public Player[] All;
}

public enum EntityType : byte
{
    ArleighBurke,
    Bismarck,
    Clemenceau,
    Fletcher,
    G5,
    Iowa,
    Kolkata,
    Osa,
    Yasen,
    Zubr,
}

public struct Transform
{
    public sbyte Altitude;
    public ushort Angle;
    public (float, float) Position;
    public short Velocity;
}

public struct Guidance
{
    public ushort Angle;
    public bool Submerge;
    public short Velocity;
}

[MemoryPackable]
public partial class Contact
{
    public byte Damage;
    public uint EntityId;
    public EntityType? EntityType;
    public Guidance Guidance;
    public ushort? PlayerId;
    public bool[] Reloads;
    public Transform Transform;
    public ushort[] TurretAngles;
}

[MemoryPackable]
public partial class TerrainUpdate
{
    public (sbyte, sbyte) ChunkId;
    public byte[] Data;
}

[MemoryPackable]
public partial class Update
{
    public Contact[] Contacts;
    public uint Score;
    public float WorldRadius;
    public TerrainUpdate[] TerrainUpdates;
}

[MemoryPackable]
public partial class Updates
{
    public Update[] All;
}
