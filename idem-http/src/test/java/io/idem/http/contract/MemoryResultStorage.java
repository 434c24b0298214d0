package io.idem.http.contract;

import io.idem.result.ResultStorage;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps large results in memory, in applications that import it. */
public final class MemoryResultStorage implements ResultStorage {

    private final Map<String, byte[]> objects = new ConcurrentHashMap<>();

    @Override
    public void put(String name, byte[] content) {
        objects.put(name, content.clone());
    }

    @Override
    public Optional<byte[]> get(String name) {
        return Optional.ofNullable(objects.get(name)).map(byte[]::clone);
    }

    @Override
    public void delete(String name) {
        objects.remove(name);
    }
}
