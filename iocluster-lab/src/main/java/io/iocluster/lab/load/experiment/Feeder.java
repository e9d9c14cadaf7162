package io.iocluster.lab.load.experiment;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.util.List;
import java.util.Map;

/** Rows of data for placeholders, from a file or from the experiment itself. Immutable. */
public record Feeder(
        @Setting(doc = "Name of the feeder. The placeholder of its field `id` is `{{name.id}}`.")
        String name,

        @Setting(
                doc =
                        "File of the rows, relative to the experiment: `.csv` with a header line, or `.ndjson` with an object"
                                + " on each line.",
                value = "''")
        String file,

        @Setting(doc = "Instead of a file: the values of each field. Row n has the n-th value of each.", value = "{}")
        Map<String, List<String>> values,

        @Setting(
                doc =
                        "`sequential` repeats the rows in order. `random` chooses each time. `unique` uses each row once and"
                                + " ends the run when there is none left. `zipf` prefers the first rows, as with popular keys."
                                + " `combinations` combines each value of a field with each value of the others.",
                value = "sequential")
        Order order,

        @Setting(doc = "`zipf`: how strongly the first rows are preferred. More than 0; 1 is typical.", value = "1.0")
        double exponent) {

    public Feeder {
        SettingsValidator validator = new SettingsValidator()
                .check(
                        file.isEmpty() != values.isEmpty(),
                        "file",
                        file.isEmpty() ? "or values must be set" : "and values must not both be set")
                .check(
                        file.isEmpty() || file.endsWith(".csv") || file.endsWith(".ndjson"),
                        "file",
                        "must end with .csv or .ndjson: " + file)
                .check(exponent > 0 && exponent <= 10, "exponent", "must be more than 0 and at most 10: " + exponent);
        Names.check(validator, name);
        validator.check(!name.contains("."), "name", "must not have a dot: " + name);
        values.forEach(
                (field, list) -> validator.check(!list.isEmpty(), "values." + field, "must have at least one value"));
        validator.check(
                order == Order.COMBINATIONS
                        || values.values().stream().map(List::size).distinct().count() <= 1,
                "values",
                "must have the same number of values for each field, except with order: combinations");
        validator.throwIfInvalid();
    }

    /** The order of the rows. */
    public enum Order {
        SEQUENTIAL,
        RANDOM,
        UNIQUE,
        ZIPF,
        COMBINATIONS
    }
}
