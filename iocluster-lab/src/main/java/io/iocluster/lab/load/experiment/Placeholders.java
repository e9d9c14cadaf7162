package io.iocluster.lab.load.experiment;

import io.iocluster.settings.SettingsValidator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the placeholders of a text: <code>{{feeder.field}}</code>. */
public final class Placeholders {

    /** The feeder of the placeholders that every call has: <code>{{call.number}}</code> and <code>{{call.id}}</code>. */
    public static final String CALL = "call";

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{\\s*([^{}]*?)\\s*}}");
    private static final Pattern REFERENCE = Pattern.compile("([a-zA-Z0-9_-]+)\\.([^\\s.{}]+)");

    private Placeholders() {}

    /** A placeholder of a text. */
    public record Reference(String feeder, String field) {

        @Override
        public String toString() {
            return "{{" + feeder + "." + field + "}}";
        }
    }

    /** Returns the matcher that finds all placeholders; its group 1 is the reference. */
    public static Matcher matcher(String text) {
        return PLACEHOLDER.matcher(text);
    }

    /** Returns the reference in the group 1 of {@link #matcher}. */
    public static Reference reference(String text) {
        Matcher matcher = REFERENCE.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a reference such as feeder.field: " + text);
        }
        return new Reference(matcher.group(1), matcher.group(2));
    }

    /** Returns the references of a text whose syntax is valid. */
    public static Set<Reference> references(String text) {
        Set<Reference> references = new LinkedHashSet<>();
        Matcher matcher = matcher(text);
        while (matcher.find()) {
            if (REFERENCE.matcher(matcher.group(1)).matches()) {
                references.add(reference(matcher.group(1)));
            }
        }
        return references;
    }

    static void checkSyntax(SettingsValidator validator, String key, String text) {
        Matcher matcher = matcher(text);
        while (matcher.find()) {
            validator.check(
                    REFERENCE.matcher(matcher.group(1)).matches(),
                    key,
                    "has the placeholder " + matcher.group() + "; use {{feeder.field}}");
        }
    }
}
