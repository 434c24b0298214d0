package io.idem.zookeeper;

import io.idem.spi.Stages;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Reads many nodes in one round trip, each with an answer of its own. */
final class NodeReads {

    private NodeReads() {}

    /** Returns the nodes of records, in the order of their names; empty where there is none. */
    static CompletableFuture<List<Optional<Node>>> all(Session session, List<String> names) {
        List<CompletableFuture<Optional<Node>>> reads =
                names.stream().map(name -> one(session, name)).toList();
        return Stages.map(
                CompletableFuture.allOf(reads.toArray(CompletableFuture<?>[]::new)),
                unused -> reads.stream().map(CompletableFuture::join).toList());
    }

    /** Returns the node of a record; empty if there is none. */
    static CompletableFuture<Optional<Node>> one(Session session, String name) {
        return Stages.handle(
                session.read(session.layout().record(name)),
                Optional::of,
                Failures.instead(Failures::isMissing, Optional.empty()));
    }
}
