
from builtins import classmethod as _classmethod
from builtins import staticmethod as _staticmethod


class _Handle(implementation._Address, _base._Handle):
    pass
