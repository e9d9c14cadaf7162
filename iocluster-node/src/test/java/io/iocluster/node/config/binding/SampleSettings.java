package io.iocluster.node.config.binding;

import io.iocluster.settings.ConnectionUri;
import io.iocluster.settings.DataSize;
import io.iocluster.settings.Inlined;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** One setting of every type that the binder supports. */
record SampleSettings(
        @Setting(value = "some", doc = "Text.") String text,
        @Setting(value = "5", doc = "A whole number.") int count,
        @Setting(value = "6", doc = "A large one.") long largeCount,
        @Setting(value = "0.5", doc = "A fraction.") double part,
        @Setting(value = "true", doc = "A flag.") boolean flag,
        @Setting(value = "3s", doc = "A duration.") Duration delay,
        @Setting(value = "1MiB", doc = "A size.") DataSize size,
        @Setting(value = "[amqp://h]", doc = "Servers.") List<ConnectionUri> servers,
        @Setting(value = "by-key", doc = "A word.") SampleChoice word,
        @Setting(value = "[a, b]", doc = "A list.") List<String> names,
        @Setting(value = "[1]", doc = "Numbers.") List<Integer> numbers,
        @Setting(doc = "Anything.") Map<String, String> properties,
        @Setting(doc = "A section.") InnerSection inner,
        @Setting(doc = "Several.") List<InnerSection> several) {

    enum SampleChoice {
        NONE,
        BY_KEY
    }

    record InnerSection(
            @Setting(value = "1", doc = "Positive.") int least,
            @Setting(value = "2", doc = "Not below.") int most,

            @Setting(value = "\"\"", secret = true, doc = "Hidden.")
            String password) {

        InnerSection {
            new SettingsValidator()
                    .checkRange("least", least, 1, 100)
                    .checkRange("most", most, 1, 100)
                    .check(password.length() != 3, "password", "must not have three letters: " + password)
                    .throwIfInvalid();
        }
    }

    /** Settings that inherit values. */
    record InheritingSection(
            @Setting(doc = "A section.") InnerSection inner,

            @Setting(inherits = "inner.most", doc = "Another's value.")
            int most,

            @Setting(inherits = "inner", doc = "Another's entries.")
            List<Entry> entries) {

        record Entry(
                @Setting(value = "unnamed", doc = "Its own.")
                String name,

                @Inlined InnerSection inner) {}
    }

    /** Settings in records whose keys are all keys of the section. */
    record GroupedSection(@Inlined Group group) {

        record Group(
                @Setting(value = "1", doc = "At least one.") int first,

                @Inlined InnerSection inner,

                @Setting(value = "3", doc = "At least one.") int last) {

            Group {
                new SettingsValidator()
                        .checkRange("first", first, 1, 100)
                        .checkRange("last", last, 1, 100)
                        .throwIfInvalid();
            }
        }
    }

    /** Sections by name. */
    record NamedSection(@Setting(doc = "Some.") Map<String, InnerSection> named) {}

    /** A setting without a default. */
    record RequiredSection(@Setting(doc = "Needed.") String name) {}
}
