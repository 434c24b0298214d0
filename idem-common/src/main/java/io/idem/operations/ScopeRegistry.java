package io.idem.operations;

import static io.idem.internal.Durations.longer;

import io.idem.ConfigurationException;
import io.idem.ExecutionPolicy;
import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The scopes of one application and the participants under each. Thread-safe. Registering never calls the store;
 * announcing does and blocks on it.
 */
public final class ScopeRegistry {

    private final Supplier<IdempotencyStore> store;
    private final Map<String, String> participants = new TreeMap<>();
    private final Map<Scope, ExecutionPolicy> policies = new HashMap<>();
    private final Map<String, String> descriptions = new HashMap<>();

    /**
     * Creates an empty registry.
     *
     * @param store the store to announce scopes to; obtained when the first scope is announced
     */
    public ScopeRegistry(Supplier<IdempotencyStore> store) {
        this.store = store;
    }

    /**
     * Reserves a scope for a participant. The same participant may register again.
     *
     * @param participant the name of the listener, filter or bean, by which a developer finds it
     * @throws ConfigurationException if another participant of this application has the scope
     */
    public synchronized void register(Scope scope, String participant) {
        String holder = participants.putIfAbsent(scope.name(), participant);
        if (holder != null && !holder.equals(participant)) {
            throw new ConfigurationException(
                    "Scope \"" + scope + "\" is claimed by " + holder + " and by " + participant
                            + "; each would take the other's work for its own and lose it. Give one of them a scope of its own",
                    "Rename scope \"" + scope
                            + "\" at one of the two. Beans of one class have one annotation: override the"
                            + " method in a subclass, with a scope of its own. A new name starts without memory, so rename the"
                            + " participant that has processed less");
        }
    }

    /**
     * Reserves a scope for a participant and notes its policy. The same participant may register again.
     *
     * @throws ConfigurationException if another participant of this application has the scope
     */
    public synchronized void register(Scope scope, String participant, ExecutionPolicy policy) {
        register(scope, participant);
        policies.merge(scope, policy, (one, other) -> one.retention().compareTo(other.retention()) <= 0 ? one : other);
    }

    /**
     * Returns the policies in effect, by scope. Of several policies in one scope, as for HTTP routes, the one with the
     * shortest retention. Participants without a policy are left out.
     */
    public synchronized Map<Scope, ExecutionPolicy> policies() {
        return Map.copyOf(policies);
    }

    /** Returns for how long records of a scope are kept: as its participants say, and not shorter than a policy. */
    public synchronized Duration retention(Scope scope, ExecutionPolicy least) {
        Duration own = policies.getOrDefault(scope, least).retention();
        return longer(own, least.retention());
    }

    /** Adds a note to the start-up report of a scope, such as where its keys come from. The last note counts. */
    public synchronized void describe(Scope scope, String description) {
        descriptions.put(scope.name(), description);
    }

    /** Returns the notes for the start-up report, by the name of the scope. */
    public synchronized Map<String, String> descriptions() {
        return Map.copyOf(descriptions);
    }

    /** Returns the participants by the name of their scope, in the order of the names. */
    public synchronized Map<String, String> participants() {
        return Collections.unmodifiableMap(new TreeMap<>(participants));
    }

    /** Returns the registered scopes. */
    public synchronized Set<Scope> scopes() {
        return participants.keySet().stream().map(Scope::new).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Announces every registered scope to the store. May be repeated: a store that lost its data learns the scopes
     * anew.
     *
     * @throws StoreUnavailableException if the store does not answer; the call may be repeated
     */
    public void announceAll() {
        scopes().forEach(scope -> store.get().announce(scope));
    }
}
