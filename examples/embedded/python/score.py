"""Scores vectors by a model of scikit-learn inside a flow: whole batches at a time, as they come."""

from __future__ import annotations

import numpy
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

import upcall
from upcall.flow import FlowBuilder

WIDTH = 16


def fitted(generator: numpy.random.Generator) -> Pipeline:
    """A logistic regression of 2,000 vectors that belong to a class if their sum is positive."""
    vectors = generator.normal(size=(2000, WIDTH))
    return make_pipeline(StandardScaler(), LogisticRegression()).fit(vectors, vectors.sum(axis=1) > 0)


class Score:
    """A handler of batches: a model takes 100 microseconds per call, however few vectors there are."""

    def __init__(self, model: Pipeline) -> None:
        self.model = model

    def on_batch(self, batch: upcall.Batch, emit: upcall.Emit) -> None:
        vectors = numpy.stack([numpy.frombuffer(obj.value, dtype="f8") for obj in batch])
        scores = self.model.predict_proba(vectors)[:, 1]
        for obj, score in zip(batch, scores):
            emit(obj.key, score.tobytes())


def main() -> None:
    generator = numpy.random.default_rng(1)
    model = FlowBuilder(name="model")
    model.pool("/vectors", kind="trigger").pool("/scores")
    # A function or a class would do too; this one needs an argument.
    model.on("/vectors", to="/scores")(Score(fitted(generator)))

    with model.start() as flow:
        vectors = generator.normal(size=(10_000, WIDTH))
        flow.pool("/vectors").put_many((str(n), vector.tobytes()) for n, vector in enumerate(vectors))
        flow.drain()
        scores = flow.pool("/scores")
        found = [scores.get(str(n)) for n in range(len(vectors))]
        likely = numpy.array([numpy.frombuffer(one.value)[0] for one in found if one is not None])
        right = ((likely > 0.5) == (vectors.sum(axis=1) > 0)).mean()
        batches = flow.report()["handlers"][0]["batches"]
        print(f"{len(likely)} vectors scored, {right:.0%} of them right")
        print("in fewer batches than vectors" if batches < len(likely) else "one by one")


if __name__ == "__main__":
    main()
