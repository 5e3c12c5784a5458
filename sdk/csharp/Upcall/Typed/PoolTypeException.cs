using System;

namespace Upcall;

/// <summary>A handler's type is none that values have, or not that of its pool.</summary>
public sealed class PoolTypeException(string message) : Exception(message);
