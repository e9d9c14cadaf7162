package io.iocluster.node.cli.terminal;

import io.iocluster.settings.DurationText;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a duration in the syntax of the configuration. */
public final class DurationArgument implements ITypeConverter<Duration> {

    @Override
    public Duration convert(String text) {
        try {
            return DurationText.parse(text);
        } catch (IllegalArgumentException wrong) {
            throw new TypeConversionException(wrong.getMessage());
        }
    }
}
