package io.idem.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The file {@code postmaster.pid}, in which PostgreSQL reports its progress: the process id in line 1, the status in
 * line 8.
 */
final class PostmasterFile {

    private static final int STATUS_LINE = 8;

    private PostmasterFile() {}

    /** Returns whether the process with this id is ready; the file of a killed predecessor does not count. */
    static boolean saysReady(Path data, long pid) {
        try {
            List<String> lines = Files.readAllLines(data.resolve("postmaster.pid"));
            return lines.size() >= STATUS_LINE
                    && lines.get(0).strip().equals(Long.toString(pid))
                    && lines.get(STATUS_LINE - 1).strip().equals("ready");
        } catch (IOException e) {
            return false;
        }
    }
}
