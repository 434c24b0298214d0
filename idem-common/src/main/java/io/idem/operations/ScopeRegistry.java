package io.idem.operations;

import io.idem.ExecutionPolicy;
import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.spi.IdempotencyStore;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The scopes of one application and who works under each. Thread-safe. Registering never touches the store; announcing does
 * and blocks on it.
 */
public final class ScopeRegistry {

    private final Supplier<IdempotencyStore> store;
    private final Map<String, String> participants = new TreeMap<>();
    private final Map<Scope, ExecutionPolicy> policies = new HashMap<>();
    private final Map<String, String> descriptions = new HashMap<>();

    /**
     * An empty registry.
     *
     * @param store is told of the scopes; asked for when the first scope is announced
     */
    public ScopeRegistry(Supplier<IdempotencyStore> store) {
        this.store = store;
    }

    /**
     * Reserves a scope for a participant. The same participant may register again.
     *
     * @param participant names the listener, filter or bean so that a developer finds it
     * @throws ScopeConflictException if another participant of this application has the scope
     */
    public synchronized void register(Scope scope, String participant) {
        String holder = participants.putIfAbsent(scope.name(), participant);
        if (holder != null && !holder.equals(participant)) {
            throw new ScopeConflictException(scope, holder, participant);
        }
    }

    /**
     * The same, with the policy that the participant works by.
     *
     * @throws ScopeConflictException if another participant of this application has the scope
     */
    public synchronized void register(Scope scope, String participant, ExecutionPolicy policy) {
        register(scope, participant);
        policies.merge(scope, policy, (one, other) -> one.retention().compareTo(other.retention()) <= 0 ? one : other);
    }

    /**
     * The policies in effect, by scope; of several in one scope, as for HTTP routes, the one with the shortest retention. Without
     * participants that registered no policy.
     */
    public synchronized Map<Scope, ExecutionPolicy> policies() {
        return Map.copyOf(policies);
    }

    /** Notes what the start-up report is to say of a scope beside its policy, such as where its keys come from; the last word counts. */
    public synchronized void describe(Scope scope, String description) {
        descriptions.put(scope.name(), description);
    }

    /** The notes for the start-up report, by the name of the scope. */
    public synchronized Map<String, String> descriptions() {
        return Map.copyOf(descriptions);
    }

    /** Who works under each scope, by its name and in the order of the names. */
    public synchronized Map<String, String> participants() {
        return Collections.unmodifiableMap(new TreeMap<>(participants));
    }

    /** The registered scopes. */
    public synchronized Set<Scope> scopes() {
        return participants.keySet().stream().map(Scope::new).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Announces every registered scope to the store, again too: a store that lost its data learns them anew.
     *
     * @throws StoreUnavailableException if the store does not answer; to be repeated later
     */
    public void announceAll() {
        scopes().forEach(scope -> store.get().announce(scope));
    }
}
