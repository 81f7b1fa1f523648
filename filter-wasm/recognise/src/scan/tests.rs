use super::*;
use Entity::*;

/// Finds as `ENTITY:text`.
fn found(text: &str) -> Vec<String> {
    recognise(text)
        .iter()
        .map(|hit| format!("{}:{}", hit.entity, &text[hit.range.clone()]))
        .collect()
}

/// The text has exactly this one entity.
fn one(entity: Entity, value: &str, text: &str) {
    assert_eq!(found(text), [format!("{entity}:{value}")], "{text}");
}

fn none(text: &str) {
    assert_eq!(found(text), [""; 0], "{text}");
}

#[test]
fn e_mail_addresses_are_found_without_their_neighbours() {
    one(EmailAddress, "pat.doe@example.com", "pat.doe@example.com");
    one(
        EmailAddress,
        "pat.doe+x_1@mail.example.co.uk",
        "Write to <pat.doe+x_1@mail.example.co.uk>.",
    );
    one(EmailAddress, "pat@example.com", "問い合わせはpat@example.comです。");
    one(EmailAddress, "josé.müller@münchen.de", "Mail josé.müller@münchen.de, danke");
    one(EmailAddress, "почта@пример.рф", "пишите: почта@пример.рф!");
    for rest in [".", "..", ".x", ".5", "-home", "_old", ".)", ".png", ".本", "/x", ":5", "?"] {
        one(EmailAddress, "pat@example.com", &format!("to pat@example.com{rest} and"));
    }
    one(EmailAddress, "a@b.co", "(a@b.co)");
    one(EmailAddress, "pat@example.com", "'pat@example.com'");
    one(EmailAddress, "4155550134@example.com", "4155550134@example.com");
    assert_eq!(
        found("a@b.com,c@d.org;e@f.net"),
        ["EMAIL_ADDRESS:a@b.com", "EMAIL_ADDRESS:c@d.org", "EMAIL_ADDRESS:e@f.net"]
    );
}

#[test]
fn what_only_has_an_at_sign_is_no_address() {
    for text in [
        "@app.route('/x')",
        "icon@2x.png",
        "lodash@4.17.21",
        "user@localhost",
        "a @ b.com",
        "git@github.com:org/repo.git",
        "@@@@",
        "a@a@a@a",
        "root@192.168",
        "x@.com",
        "x@com.",
        "foo@bar_baz",
        "pat.@example.com",
    ] {
        none(text);
    }
}

#[test]
fn telephone_numbers_are_found_in_their_usual_forms() {
    for number in [
        "415-555-0134",
        "(415) 555-0134",
        "(415)555-0134",
        "415.555.0134",
        "415 555 0134",
        "1-415-555-0134",
        "+1 415 555 0134",
        "+14155550134",
        "+1 (415) 555-0134",
        "+44 20 7946 0958",
        "+442079460958",
        "+44 (0)20 7946 0958",
        "0044 20 7946 0958",
        "+49 30 901820",
        "+33 1 23 45 67 89",
        "+81 3-1234-5678",
        "+91 98765 43210",
        "+86 138 1234 5678",
        "03-1234-5678",
        "090-1234-5678",
        "010-1234-5678",
        "138-1234-5678",
        "415-555-0134 x12",
        "(415) 555-0134 ext. 1234",
        "+55 11 91234-5678",
        "+1-984-182-0190",
    ] {
        one(PhoneNumber, number, number);
        one(PhoneNumber, number, &format!("call {number}, please"));
        one(PhoneNumber, number, &format!("電話は{number}です"));
        one(PhoneNumber, number, &format!("e\u{301}e\u{301} {number}\n"));
    }
}

#[test]
fn looser_telephone_numbers_need_a_telling_word() {
    for (number, word) in [
        ("4155550134", "phone"),
        ("555 0134", "Phone:"),
        ("020 7946 0958", "Tel."),
        ("01 23 45 67 89", "téléphone :"),
        ("0151 23456789", "Handy"),
        ("13812345678", "手机"),
        ("98765 43210", "mobile"),
        ("699 956 915", "stop sending messages to"),
        ("030 12345678", "Telefon"),
    ] {
        one(PhoneNumber, number, &format!("{word} {number}"));
        none(&format!("value {number}"));
    }
}

#[test]
fn numbers_in_code_and_prose_are_no_telephones_cards_or_social_security_numbers() {
    for text in [
        "2023-04-15 10:30:00",
        "call me on 2023-04-15",
        "15.04.2023",
        "978-0-306-40615-7",
        "0-306-40615-2",
        "550e8400-e29b-41d4-a716-446655440000",
        "12345678-1234-1234-1234-123456789012",
        "version 1.2.3.4",
        "v10.2.30.4",
        "3.14159265358979",
        "1,234,567,890",
        "1990-1995",
        "10:20:30:40",
        "commit 4111111111111111aa",
        "x = 4155550134;",
        "1699999999",
        "0x4155550134",
        "d41d8cd98f00b204e9800998ecf8427e",
        "IMEI 356938035643809",
        "123456789",
        "12-34-5678",
        "2 + 2 = 4",
        "$415-555",
        "f(x) = 415 - 555",
        "1234567890123456",
        "4111 1111 1111 1112",
        "000-12-3456",
        "666-12-3456",
        "912-34-5678",
        "123-00-4567",
        "123-45-0000",
        "1-2-3-4-5",
        "192.168.1",
        "1.2.3.4.5",
        "256.1.1.1",
        "section 1.2.3.4",
        "foo-1.2.3.4.tar.gz",
        "a::b",
        "std::vec::Vec",
        "12:30:45",
        "x[1::2]",
        "00:1a:2b:3c:4d:5e",
        "::1",
        "zip file 12345",
        "in 12345",
        "SKU 12345-6789",
        "order number 4111111111111111",
        "0000 0000 0000 0000",
        "1/2/2023",
        "192.168.0.1.2",
        "100000000000",
        "555-0134-22",
        "99-99-9999",
    ] {
        none(text);
    }
}

#[test]
fn cards_need_an_issuer_a_length_and_a_luhn_digit() {
    for number in [
        "4111 1111 1111 1111",
        "4111-1111-1111-1111",
        "4111111111111111",
        "5555555555554444",
        "2223003122003222",
        "378282246310005",
        "3782 822463 10005",
        "6011111111111117",
        "30569309025904",
        "3056 930902 5904",
        "3530111333300000",
        "6200000000000005",
        "4222222222222",
    ] {
        one(CreditCard, number, number);
        one(CreditCard, number, &format!("カード{number}です"));
        one(CreditCard, number, &format!("card number {number}, exp"));
    }
    assert_eq!(found("4111 1111 1111 1111 12/25"), ["CREDIT_CARD:4111 1111 1111 1111"]);
    assert_eq!(found("4111111111111111,5555555555554444").len(), 2);
}

#[test]
fn social_security_numbers_are_found_in_valid_ranges() {
    one(UsSsn, "078-05-1120", "078-05-1120");
    one(UsSsn, "078-05-1120", "row: SSN 078-05-1120");
    one(UsSsn, "078-05-1120", "e\u{301}e\u{301} 078-05-1120");
    one(UsSsn, "078 05 1120", "my SSN is 078 05 1120.");
    one(UsSsn, "078051120", "social security number 078051120");
    none("078 05 1120");
    none("078051120");
}

#[test]
fn bank_accounts_need_their_country_s_length_and_remainder() {
    for iban in [
        "DE89 3704 0044 0532 0130 00",
        "DE89370400440532013000",
        "GB82 WEST 1234 5698 7654 32",
        "FR1420041010050500013M02606",
        "NO9386011117947",
    ] {
        one(IbanCode, iban, &format!("IBAN: {iban}."));
    }
    none("DE88 3704 0044 0532 0130 00");
    none("XX89 3704 0044 0532 0130 00");
}

#[test]
fn addresses_of_both_families_are_found() {
    for ip in [
        "192.168.0.1",
        "203.0.113.254",
        "8.8.8.8",
        "2001:db8::1",
        "fe80::1ff:fe23:4567:890a",
        "2001:0db8:85a3:0000:0000:8a2e:0370:7334",
        "6e40:4041:c617:e898:c11:40d2:c669:2eb4",
    ] {
        one(IpAddress, ip, ip);
        one(IpAddress, ip, &format!("from {ip}."));
        one(IpAddress, ip, &format!("[{ip}]"));
    }
    one(IpAddress, "192.168.0.1", "http://192.168.0.1:8080/");
    one(IpAddress, "1.2.3.4", "the server's IP address is 1.2.3.4");
}

#[test]
fn licences_and_postal_codes_need_their_words() {
    one(UsDriverLicense, "F162823540116", "My driver's license number is F162823540116");
    one(UsDriverLicense, "6940579", "my driver’s licence is 6940579.");
    one(ZipCode, "94105", "San Francisco, CA 94105");
    one(ZipCode, "94105-1234", "zip code: 94105-1234");
    one(ZipCode, "48750", "ZIP: 48750");
    none("F162823540116");
    none("id 94105");
}

#[test]
fn keys_of_known_providers_are_found() {
    for key in [
        "sk-proj-abcDEF123456ghiJKL789012",
        "sk-1234567890abcdef1234567890abcdef",
        "sk-ant-api03-AbCdEf123456GhIjKl789012MnOpQr",
        "AKIAIOSFODNN7EXAMPLE",
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
        "github_pat_11ABCDEFG0abcdefghijkl_1234567890abcdefghijklmnopqrstuvwxyz",
        "AIzaSyA1234567890abcdefghijklmnopqrstuv",
        "xoxb-123456789012-abcdefABCDEF1234",
        "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
        "hf_abcdefghijklmnopqrstuvwxyzABCDEF12",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
    ] {
        one(ApiKey, key, key);
        one(ApiKey, key, &format!("my key is {key}, ok?"));
        one(ApiKey, key, &format!("OPENAI_API_KEY={key}\n"));
        one(ApiKey, key, &format!("鍵は{key}です"));
    }
    one(ApiKey, "a8f3k2l9d0s7g6h5j4k3", "api_key = \"a8f3k2l9d0s7g6h5j4k3\"");
    one(
        ApiKey,
        "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY1",
        "aws_secret_access_key=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY1",
    );
}

#[test]
fn names_placeholders_and_hashes_are_no_keys() {
    for text in [
        "sk-loading-spinner-animation-container",
        "api_key = YOUR_API_KEY_GOES_HERE",
        "token = getElementsByClassName",
        "api_key=[PHONE_NUMBER_12345678]",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "the-quick-brown-fox-jumps-over",
        "eyJhbGciOiJIUzI1NiJ9",
        "task-1234567890abcdef1234",
        "AKIAshort",
        "password: correct-horse-battery-staple",
    ] {
        none(text);
    }
}

#[test]
fn a_private_key_block_is_found_whole() {
    let block = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA1234\nabcd==\n-----END RSA PRIVATE KEY-----";
    one(PrivateKey, block, &format!("here: {block} bye"));
    let escaped = block.replace('\n', "\\n");
    one(PrivateKey, &escaped, &format!("\"{escaped}\""));
    let open = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU";
    one(PrivateKey, open, open);
    none("-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkq\n-----END PUBLIC KEY-----");
    none("-----------\n| a | b |\n-----------");
}

#[test]
fn placeholders_are_not_found_again() {
    for entity in Entity::ALL {
        for words in ["ssn", "phone number", "my api_key:", "driver's license", "zip code", "card"]
        {
            none(&format!("{words} [{entity}] and {words} [{entity}_1], [{entity}_12345]"));
        }
    }
}
