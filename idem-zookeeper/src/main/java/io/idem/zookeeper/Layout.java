package io.idem.zookeeper;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.Scope;
import java.util.regex.Pattern;

/**
 * The paths of the nodes. Records lie below nodes that are named by the first two characters of the key's digest, at
 * most 4,096 of them, so that no list of children grows too large for one answer.
 */
record Layout(String root) {

    /** The name of a record's node: the digest of the key and the scope. */
    static final Pattern NAME = Pattern.compile("[\\w-]{22}:" + Scope.SYNTAX);

    private static final int SHARD_LENGTH = 2;

    String clock() {
        return root + "/clock";
    }

    String cleaning() {
        return root + "/cleaning";
    }

    String scopes() {
        return root + "/scopes";
    }

    String scope(Scope scope) {
        return scopes() + "/" + scope.name();
    }

    String records() {
        return root + "/records";
    }

    String shard(String shard) {
        return records() + "/" + shard;
    }

    String record(RecordId record) {
        return record(name(record.key(), record.scope().name()));
    }

    String record(String name) {
        return shard(shardOf(name)) + "/" + name;
    }

    static String name(IdempotencyKey key, String scope) {
        return key.id() + ":" + scope;
    }

    static String shardOf(String name) {
        return name.substring(0, SHARD_LENGTH);
    }

    static String parentOf(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }
}
