package io.idem.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TarArchiveTest {

    @TempDir
    private Path directory;

    @Test
    void programsAreExecutableAndLinksStayInside() throws IOException {
        Path archive = directory.resolve("archive.tar.gz");
        try (OutputStream file = new GZIPOutputStream(Files.newOutputStream(archive));
                TarArchiveOutputStream tar = new TarArchiveOutputStream(file)) {
            file(tar, "bin/program", 0100755);
            file(tar, "share/text", 0100644);
            link(tar, "bin/inside", "../share/text");
            link(tar, "bin/outside", "/etc/passwd");
            tar.finish();
        }

        TarArchive.unpack(archive.toUri().toURL(), directory);

        assertThat(directory.resolve("bin/program")).isExecutable().hasContent("content");
        assertThat(Files.isExecutable(directory.resolve("share/text"))).isFalse();
        assertThat(directory.resolve("bin/inside")).hasContent("content");
        assertThat(Files.exists(directory.resolve("bin/outside"), LinkOption.NOFOLLOW_LINKS))
                .isFalse();
    }

    private static void file(TarArchiveOutputStream tar, String name, int mode) throws IOException {
        byte[] content = "content".getBytes(StandardCharsets.UTF_8);
        TarArchiveEntry entry = new TarArchiveEntry(name);
        entry.setSize(content.length);
        entry.setMode(mode);
        tar.putArchiveEntry(entry);
        tar.write(content);
        tar.closeArchiveEntry();
    }

    private static void link(TarArchiveOutputStream tar, String name, String destination) throws IOException {
        TarArchiveEntry entry = new TarArchiveEntry(name, TarConstants.LF_SYMLINK);
        entry.setLinkName(destination);
        tar.putArchiveEntry(entry);
        tar.closeArchiveEntry();
    }
}
