

class _Handle(implementation._Address, _types._Handle):
    pass
