package io.idem.zookeeper;

import io.idem.Scope;
import io.idem.spi.Stages;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/** The nodes below which records lie. */
final class Shards {

    /** The name of a record's node: the digest of the key and the scope. */
    static final Pattern NAME = Pattern.compile("([\\w-]{22}):(" + Scope.SYNTAX + ")");

    private Shards() {}

    /** Returns the names of the shards that exist, in order. */
    static CompletableFuture<List<String>> all(Session session) {
        return Stages.compose(
                session.createIfMissing(session.layout().records()),
                unused -> sorted(session.children(session.layout().records())));
    }

    /** Returns the names of the nodes of a shard, in order. */
    static CompletableFuture<List<String>> names(Session session, String shard) {
        return Stages.map(
                sorted(session.children(session.layout().shard(shard))),
                names -> names.stream()
                        .filter(name -> NAME.matcher(name).matches())
                        .toList());
    }

    private static CompletableFuture<List<String>> sorted(CompletableFuture<List<String>> names) {
        return Stages.map(names, found -> found.stream().sorted().toList());
    }
}
