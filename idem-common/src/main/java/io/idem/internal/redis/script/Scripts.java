package io.idem.internal.redis.script;

import io.idem.internal.redis.client.Script;
import java.util.List;

/** The scripts of all transitions, and the withdrawal of a grant whose owner was not told of it. */
public record Scripts(
        Script acquire,
        Script renew,
        Script complete,
        Script fail,
        Script reject,
        Script reopen,
        Script force,
        Script erase,
        Script remember,
        Script recall,
        Script withdraw) {

    public static Scripts load() {
        return new Scripts(
                Script.named("acquire"),
                Script.named("renew"),
                Script.named("complete"),
                Script.named("fail"),
                Script.named("reject"),
                Script.named("reopen"),
                Script.named("force"),
                Script.named("erase"),
                Script.named("remember"),
                Script.named("recall"),
                Script.named("withdraw"));
    }

    List<Script> all() {
        return List.of(acquire, renew, complete, fail, reject, reopen, force, erase, remember, recall, withdraw);
    }
}
