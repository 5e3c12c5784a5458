using System;

namespace Upcall;

/// <summary>A handler's type cannot be used for values, or is not that of its pool.</summary>
public sealed class PoolTypeException(string message) : Exception(message);
