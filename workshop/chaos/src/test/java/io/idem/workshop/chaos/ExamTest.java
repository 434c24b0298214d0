package io.idem.workshop.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.workshop.chaos.worker.Flaw;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the selection of trials and their score. */
class ExamTest {

    @Test
    void everyFlawIsTriedOnce() {
        assertThat(Exam.ALL.stream().map(Exam::flaw))
                .containsExactlyElementsOf(Arrays.stream(Flaw.values())
                        .filter(flaw -> flaw != Flaw.NONE)
                        .toList());
    }

    @Test
    void theLibraryAsItIsIsTriedWithEveryClassThatAFlawIsTriedWith() {
        assertThat(Exam.sound(Exam.ALL).stream().map(Exam::faultClass))
                .containsAll(Exam.ALL.stream().map(Exam::faultClass).toList())
                .doesNotHaveDuplicates();
    }

    @Test
    void oneFlawThatIsNotSeenFailsTheScore() {
        ScoreReport.Entry seen = entry(List.of("lost (kill, rabbit-inbox): 2, such as [a, b]"));
        ScoreReport.Entry unseen = entry(List.of());

        assertThat(score(List.of(), seen).passed()).isTrue();
        assertThat(score(List.of(), seen, unseen).passed()).isFalse();
        assertThat(score(List.of(), seen, unseen).text()).contains("caught 1 of 2", "NOT CAUGHT");
    }

    @Test
    void aComplaintAboutTheLibraryAsItIsFailsTheScore() {
        assertThat(score(List.of("lost"), entry(List.of("lost"))).passed()).isFalse();
    }

    private static ScoreReport.Entry entry(List<String> complaints) {
        return ScoreReport.Entry.of(Exam.ALL.get(0), new Trial.Verdict(complaints, 1));
    }

    private static ScoreReport score(List<String> complaintsOfSound, ScoreReport.Entry... entries) {
        return ScoreReport.of("workshop/chaos.sh --flaws", 1, 1, List.of(), complaintsOfSound, List.of(entries));
    }
}
