package io.idem.test.result;

import io.idem.result.FileResultStorage;
import io.idem.result.ResultStorage;
import io.idem.test.contract.ResultStorageContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class FileResultStorageContractTest extends ResultStorageContract {

    @TempDir
    private Path directory;

    private FileResultStorage storage;

    @BeforeEach
    void open() {
        storage = new FileResultStorage(directory.resolve("results"));
    }

    @Override
    protected ResultStorage storage() {
        return storage;
    }

    /** A volume that is not mounted any more, with a file in its place. */
    @Override
    protected ResultStorage unavailable() {
        Path volume = directory.resolve("volume");
        FileResultStorage unmounted = new FileResultStorage(volume);
        try {
            Files.delete(volume);
            Files.createFile(volume);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return unmounted;
    }
}
