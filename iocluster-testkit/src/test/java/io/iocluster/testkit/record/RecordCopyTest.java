package io.iocluster.testkit.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RecordCopyTest {

    private static final Sample SAMPLE = new Sample("a", 1, true);

    /** Any record with components of several types. */
    public record Sample(String text, long number, boolean flag) {

        public Sample {
            if (number < 0) {
                throw new IllegalStateException("negative");
            }
        }
    }

    @Test
    void keepsTheComponentsThatAreNotNamed() {
        assertThat(RecordCopy.with(SAMPLE, "number", 7)).isEqualTo(new Sample("a", 7, true));
        assertThat(RecordCopy.with(SAMPLE, "flag", false, "text", null)).isEqualTo(new Sample(null, 1, false));
    }

    @Test
    void throwsWhatTheRecordThrows() {
        assertThatThrownBy(() -> RecordCopy.with(SAMPLE, "number", -1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("negative");
    }

    @Test
    void refusesAnUnknownComponent() {
        assertThatThrownBy(() -> RecordCopy.with(SAMPLE, "nmuber", 7)).hasMessageContaining("no component [nmuber]");
    }
}
