package io.iocluster.node.config;

import io.iocluster.settings.ConnectionUri;
import io.iocluster.settings.DataSize;
import io.iocluster.settings.Inlined;
import io.iocluster.settings.Mistakes;
import io.iocluster.settings.Setting;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** One setting of every type that the binder knows. */
record SampleSettings(
        @Setting(value = "some", doc = "Text.") String text,
        @Setting(value = "5", doc = "A whole number.") int count,
        @Setting(value = "6", doc = "A large one.") long largeCount,
        @Setting(value = "0.5", doc = "A fraction.") double part,
        @Setting(value = "true", doc = "A flag.") boolean flag,
        @Setting(value = "3s", doc = "A duration.") Duration delay,
        @Setting(value = "1MiB", doc = "A size.") DataSize size,
        @Setting(value = "[amqp://h]", doc = "Servers.") List<ConnectionUri> servers,
        @Setting(value = "by-key", doc = "A word.") Word word,
        @Setting(value = "[a, b]", doc = "A list.") List<String> names,
        @Setting(value = "[1]", doc = "Numbers.") List<Integer> numbers,
        @Setting(doc = "Anything.") Map<String, String> properties,
        @Setting(doc = "A section.") Inner inner,
        @Setting(doc = "Several.") List<Inner> several) {

    enum Word {
        NONE,
        BY_KEY
    }

    record Inner(
            @Setting(value = "1", doc = "Positive.") int least,
            @Setting(value = "2", doc = "Not below.") int most,

            @Setting(value = "\"\"", secret = true, doc = "Hidden.")
            String password) {

        Inner {
            new Mistakes()
                    .between("least", least, 1, 100)
                    .between("most", most, 1, 100)
                    .check(password.length() != 3, "password", "must not have three letters: " + password)
                    .raise();
        }
    }

    /** What a key inherits, and from where. */
    record Heirs(
            @Setting(doc = "A section.") Inner inner,

            @Setting(inherits = "inner.most", doc = "Another's value.")
            int most,

            @Setting(inherits = "inner", doc = "Another's entries.")
            List<Entry> entries) {

        record Entry(
                @Setting(value = "unnamed", doc = "Its own.")
                String name,

                @Inlined Inner inner) {}
    }

    /** Sections by name. */
    record Named(@Setting(doc = "Some.") Map<String, Inner> named) {}

    /** A setting without a default. */
    record Required(@Setting(doc = "Needed.") String name) {}
}
