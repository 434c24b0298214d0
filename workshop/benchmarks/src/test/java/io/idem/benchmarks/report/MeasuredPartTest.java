package io.idem.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuredPartTest {

    @TempDir
    Path folder;

    @Test
    void whatPeopleWroteAroundItStays() throws IOException {
        Path page = page("before\n" + MeasuredPart.BEGIN + "\nold\n" + MeasuredPart.END + "\nafter\n");

        new MeasuredPart(page).replace("new\n");
        new MeasuredPart(page).replace("newer\n");

        assertThat(page).hasContent("before\n" + MeasuredPart.BEGIN + "\n\nnewer\n\n" + MeasuredPart.END + "\nafter\n");
    }

    @Test
    void aPageWithoutAPlaceForItIsLeftAsItIs() throws IOException {
        Path page = page("only words\n");

        assertThatIOException().isThrownBy(() -> new MeasuredPart(page).check());
        assertThatIOException()
                .isThrownBy(() -> new MeasuredPart(page).replace("new"))
                .withMessageContaining(page.toString());
        assertThat(page).hasContent("only words\n");
    }

    private Path page(String text) throws IOException {
        return Files.writeString(folder.resolve("page.md"), text);
    }
}
